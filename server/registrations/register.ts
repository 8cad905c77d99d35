/**
 * POST /api/register: validates a registration by the specification's rules, and stores one per
 * e-mail address. A form that the browser sent without script gets a page as the answer. The query
 * names the language of the answer and of the mail.
 */
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { html } from '@remix-run/html-template';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Language, pathIn } from '#contract/language.ts';
import {
  makeRegisterBodySchema,
  type RegisterAnswer,
  type Registration,
  readCheckboxes,
  registerQuerySchema,
} from '#contract/register.schema.ts';
import { REGISTER_MESSAGES } from '#contract/register-messages.ts';
import { registerAnswers } from '#words/es/register-answers.ts';
import { registerMessages } from '#words/es/register-messages.ts';
import { fillPage } from '../html/fill-page.ts';
import { joinHtml } from '../html/join-html.ts';
import type { Budgets } from '../http/budgets.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { formFields, isForm, MAX_FORM_BYTES, readForms } from '../http/forms.ts';
import { HttpError, parseInput, readJsonBodies, unavailable } from '../http/http-error.ts';
import { pageHeaders, sendPage } from '../http/page-headers.ts';
import { perMinute } from '../http/rate-limit.ts';
import { refuseForeignOrigin } from '../http/security.ts';
import type { RouteOptions } from '../settings.ts';
import { type Blocks, createBlocks } from './blocks.ts';
import { makeRow } from './envelope.ts';
import { hashEmail } from './hash-email.ts';
import type { KeyRing } from './key-ring.ts';
import { storeRegistration } from './store-registrations.ts';

interface Options extends RouteOptions {
  ring: KeyRing;
  budgets: Budgets;
}

/** Schemas of the form's fields by language. They differ only in their messages. */
const SCHEMAS = {
  en: makeRegisterBodySchema(REGISTER_MESSAGES),
  es: makeRegisterBodySchema(registerMessages),
};
const RETRY_AFTER_S = 10;
const NOT_SAVED = 'Your registration could not be saved. Please try again.';
/**
 * Least time until an answer. The work takes less, so the time of an answer does not reveal whether
 * the address is registered already.
 */
const LEAST_ANSWER_MS = 100;

/** Registers the route. */
export async function register(app: FastifyInstance, options: Options): Promise<void> {
  readJsonBodies(app);
  const { config, site, distDir, now } = options;
  const blocks = createBlocks({ limit: config.rateLimit.clicks, now });
  const answers = site.registerForm
    ? { en: readAnswers(distDir, 'en'), es: readAnswers(distDir, 'es') }
    : null;
  if (answers) {
    await pageHeaders(app, site);
    await readForms(app);
  }
  app.post(
    '/api/register',
    {
      bodyLimit: MAX_FORM_BYTES,
      config: { rateLimit: perMinute(config.rateLimit.register) },
      onRequest: refuseForeignOrigin,
      errorHandler: (cause, request, reply) => answerFault(cause, request, reply, answers),
    },
    async (request, reply) => {
      const answerTime = wait(LEAST_ANSWER_MS);
      const { language = 'en' } = parseInput(registerQuerySchema, request.query);
      const fields = isForm(request) ? readCheckboxes(formFields(request)) : request.body;
      const body = parseInput(SCHEMAS[language], fields);
      const person = { ...body, language, ip: request.ip };
      await storePerson(options, blocks, person).catch(throwNotSaved);
      await answerTime;
      reply.code(201);
      if (answers && isForm(request)) return sendPage(reply, answers[language].success);
      return reply.send({ status: 'registered' } satisfies RegisterAnswer);
    },
  );
}

/**
 * Encrypts and stores a registration, if its address is new. Returns nothing, so that no answer can
 * reveal whether it was.
 */
async function storePerson(
  { db, ring, budgets, now = Date.now }: Options,
  blocks: Blocks,
  person: Registration & { language: Language; ip: string },
) {
  const { firstName, lastName, email, smaType, language, ip } = person;
  const row = await makeRow(ring, randomUUIDv7(), now(), {
    firstName,
    lastName,
    email,
    smaType: smaType || null,
    ...(language !== 'en' && { language }),
  });
  const otherHashes = ring.slice(1).map((key) => hashEmail(key, email));
  await budgets.spend(ip, { registrations: [row] });
  const origin = blocks.originOf(ip);
  if (await db.transaction(storeRegistration, row, otherHashes, origin)) blocks.count(origin);
}

/** Throws an HttpError as it is (a budget is spent), and any other fault as 503. */
function throwNotSaved(cause: unknown): never {
  throw cause instanceof HttpError ? cause : unavailable(NOT_SAVED, RETRY_AFTER_S, cause);
}

type FormAnswers = Record<Language, ReturnType<typeof readAnswers>>;

/**
 * Reads the pages that answer a form without script. The build has made them (pages/registered,
 * pages/not-registered).
 */
function readAnswers(distDir: string, language: Language) {
  const read = (page: string) =>
    readFileSync(join(distDir, 'answers', `${pathIn(language, page)}.html`), 'utf8');
  const faultyTemplate = read('/not-registered');
  return {
    success: read('/registered'),
    faulty: (messages: string[]): string =>
      fillPage(faultyTemplate, { messages: joinHtml(messages, html`</li><li>`) }),
  };
}

/**
 * Answers an error in the language of the form's page. A request may be refused (by its origin or
 * the rate limit) before its query is validated, so the query is read once more here.
 */
function answerFault(
  cause: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  answers: FormAnswers | null,
): void {
  const { language = 'en' } = registerQuerySchema.safeParse(request.query).data ?? {};
  const translate = (error: HttpError) => (language === 'es' ? toSpanish(error) : error);
  if (answers && isForm(request)) {
    const { statusCode, message, fields } = translate(toHttpError(cause));
    const messages = fields ? Object.values(fields) : [message];
    sendPage(reply.code(statusCode), answers[language].faulty(messages));
  } else sendError(cause, request, reply, { translate });
}

/**
 * Translates an error's sentence about the whole request into Spanish. The log has the English one
 * already, and the Spanish schema has those about fields.
 */
function toSpanish(error: HttpError): HttpError {
  const { rate_limited, other, ...byCode } = registerAnswers;
  const { code, retryAfterS = 0 } = error;
  const text = byCode[code as keyof typeof byCode] ?? other;
  error.message = code === 'rate_limited' ? rate_limited(retryAfterS) : text;
  return error;
}
