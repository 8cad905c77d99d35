/** Saves what a form of the report's page sends to POST /report. */
import { type Database, write } from '../../database/database.ts';
import { HttpError, parseInput } from '../../http/http-error.ts';
import { findLink, linkSchema, upsertLink } from '../../links/known-links.ts';
import { dateOf } from '../question.ts';
import type { RouteParts } from '../routes.ts';
import type { Fields } from './forms.ts';
import { addNote, DELETE, makeShare, noteSchema, shareSchema } from './notes-and-shares.ts';

/**
 * Saves a form.
 *
 * @param values fields of the form. `form` says which one it is
 * @param wasUsed returns whether visits or clicks of the last 90 days have a code
 * @returns the token of a new address for readers. null: it was another form
 * @throws (rejects with) HttpError 400, with a message for each wrong field
 */
export async function saveForm(
  { db, now, site }: RouteParts,
  values: Fields,
  wasUsed: (code: string) => Promise<boolean>,
): Promise<string | null> {
  const { form, id = '' } = values;
  const { timeZone } = site;
  if (form === 'share') {
    const { code, until } = parseInput(shareSchema(dateOf(now(), timeZone)), values);
    const link = await findLink(db, code);
    if (!link && !(await wasUsed(code))) throw codeFault(UNKNOWN_CODE);
    const end = Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(timeZone);
    return makeShare(db, link?.ref ?? code, end.epochMilliseconds, now());
  }
  if (form === 'link') {
    const { code, name } = parseInput(linkSchema, values);
    const existingLink = await findLink(db, code);
    const isFree = !existingLink || (existingLink.name === name && existingLink.ref === code);
    if (!(isFree && (await upsertLink(db, code, name, now()))))
      throw codeFault(await takenBy(db, code));
  } else if (form === 'note') await addNote(db, parseInput(noteSchema, values));
  else if (form === 'unnote' || form === 'unshare') await write(db, DELETE[form], [id]);
  else throw new HttpError(400, 'validation_failed', 'The report has no such form.');
  return null;
}

/** Returns the message about a code that belongs to another link. */
const takenBy = async (db: Database, code: string) =>
  `It is the code of “${(await findLink(db, code))?.name}”. Choose another one.`;

const UNKNOWN_CODE =
  'No link has this code, and nobody came with it in the last 90 days. Make the link first.';

/** Makes the error about the field `code`. */
const codeFault = (message: string) =>
  new HttpError(400, 'validation_failed', 'Please check the code.', { fields: { code: message } });
