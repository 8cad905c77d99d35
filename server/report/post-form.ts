/** POST /report: the forms of the report's page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HttpError, readValid } from '../http/http-error.ts';
import { refuseForeignOrigin } from '../http/security.ts';
import { findLink, linkSchema, nameLink } from '../links/known-links.ts';
import type { FormAnswer } from './forms.ts';
import { addNote, deleteNote, noteSchema } from './notes.ts';
import { dateOf } from './question.ts';
import type { Parts } from './routes.ts';
import { deleteShare, makeShare, shareSchema } from './shares.ts';

/** Answers with the page. @param answer about a form that was sent */
export type Render = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: FormAnswer | null,
) => Promise<FastifyReply>;
type Fields = Record<string, string>;

const FORM = 'application/x-www-form-urlencoded';
const BODY_BYTES = 8 * 1024;

export function reportForms(app: FastifyInstance, parts: Parts, render: Render): void {
  app.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: unknown, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  );
  const settings = { ...parts.reading, bodyLimit: BODY_BYTES, onRequest: refuseForeignOrigin };
  app.post<{ Body: Fields | undefined }>('/report', settings, async (request, reply) => {
    const values = request.body ?? {};
    const { form = '' } = values;
    try {
      const token = await save(parts, values);
      if (token === null) return reply.redirect(`${request.url}#h-${form.replace(/^un/, '')}`, 303);
      // A redirect would put the new address into the history and into logs.
      return render(request, reply, { form, values: {}, faults: {}, token });
    } catch (cause) {
      if (!(cause instanceof HttpError && cause.fields)) throw cause;
      return render(request, reply.code(400), { form, values, faults: cause.fields, token: null });
    }
  });
}

/** @returns the token of a new address for readers; null: another form */
async function save({ db, now, site }: Parts, values: Fields): Promise<string | null> {
  const { form, id = '' } = values;
  const { timeZone } = site;
  if (form === 'share') {
    const { code, until } = readValid(shareSchema(dateOf(now(), timeZone)), values);
    if (!(await findLink(db, code))) throw codeFault('No link has this code. Make the link first.');
    const end = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(timeZone);
    return makeShare(db, { ref: code, endsAt: end.epochMilliseconds }, now());
  }
  if (form === 'link') {
    const { code, name } = readValid(linkSchema, values);
    const known = await findLink(db, code);
    if (known && known.name !== name)
      throw codeFault(`It is the code of “${known.name}”. Choose another one.`);
    await nameLink(db, code, name, now());
  } else if (form === 'note') await addNote(db, readValid(noteSchema, values));
  else if (form === 'unnote') await deleteNote(db, id);
  else if (form === 'unshare') await deleteShare(db, id);
  else throw new HttpError(400, 'validation_failed', 'The report has no such form.');
  return null;
}

const codeFault = (message: string) =>
  new HttpError(400, 'validation_failed', 'Please check the code.', { fields: { code: message } });
