/**
 * POST /api/register: validates a registration by the specification's rules and keeps one per e-mail address. Answers a form
 * without script with a page. The query names the language of the answer and of the mail.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Language } from '#contract/language.ts';
import {
  makeRegisterBodySchema,
  type RegisterAnswer,
  registerBodySchema,
  registerQuerySchema,
} from '#contract/register.schema.ts';
import { registerAnswers } from '#words/es/register-answers.ts';
import { registerMessages } from '#words/es/register-messages.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { readValid } from '../http/field-errors.ts';
import { HttpError, unavailable } from '../http/http-error.ts';
import { readJsonBodies } from '../http/json-body.ts';
import { pageHeaders, setPageHeaders } from '../http/page-headers.ts';
import { perMinute } from '../http/rate-limit.ts';
import { refuseForeignOrigin } from '../http/security.ts';
import type { Settings } from '../settings.ts';
import { type FormAnswers, readFormAnswers } from './form-answers.ts';
import { createNetworkTurns } from './mail/network-turns.ts';
import type { Registrations } from './registrations.ts';

interface Options {
  config: Settings;
  registrations: Registrations;
  site: BuiltSite;
  /** Folder of the build. */
  distDir: string;
}

/** They differ in their messages. */
const SCHEMAS = { en: registerBodySchema, es: makeRegisterBodySchema(registerMessages) };
const FORM = 'application/x-www-form-urlencoded';
const BODY_BYTES = 8 * 1024;
const RETRY_AFTER_S = 10;
/** Lower bound for the duration of an answer. The work takes less, so the time does not tell whether the address is known. */
const ANSWER_MS = 100;

export async function register(app: FastifyInstance, options: Options): Promise<void> {
  readJsonBodies(app);
  const mailFrom = createNetworkTurns();
  const answers = options.site.registerForm ? readFormAnswers(options.distDir) : null;
  if (answers) {
    await pageHeaders(app, options.site);
    app.addContentTypeParser(FORM, { parseAs: 'string' }, readForm);
  }
  app.post(
    '/api/register',
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: perMinute(options.config.rateLimit.register) },
      onRequest: refuseForeignOrigin,
      errorHandler: (cause, request, reply) => answerFault(cause, request, reply, answers),
    },
    async (request, reply) => {
      const answerTime = wait(ANSWER_MS);
      const { language = 'en' } = readValid(registerQuerySchema, request.query);
      const body = readValid(SCHEMAS[language], request.body);
      try {
        const at = Date.now();
        await options.registrations.add({ ...body, language }, at, mailFrom(request.ip, at));
      } catch (cause) {
        throw unavailable(
          'Your registration could not be saved. Please try again.',
          RETRY_AFTER_S,
          cause,
        );
      }
      await answerTime;
      reply.code(201);
      if (answers && isForm(request)) return sendPage(reply, answers[language].success);
      return reply.send({ status: 'registered' } satisfies RegisterAnswer);
    },
  );
}

const isForm = (request: FastifyRequest) => request.headers['content-type']?.startsWith(FORM);

/** Answers in the language of the form's page, also to a request that was refused before its query was checked. */
function answerFault(
  cause: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  answers: Record<Language, FormAnswers> | null,
): void {
  const { language = 'en' } = registerQuerySchema.safeParse(request.query).data ?? {};
  const translate = (error: HttpError) => (language === 'es' ? toSpanish(error) : error);
  if (answers && isForm(request)) {
    const { statusCode, message, fields } = translate(toHttpError(cause));
    const typed = (request.body ?? null) as Record<string, unknown> | null;
    const page = answers[language].faults(fields ?? { form: message }, typed);
    sendPage(reply.code(statusCode), page);
  } else sendError(cause, request, reply, translate);
}

/** Translates the sentence about the whole request. Those about its fields are in the schema. */
function toSpanish(error: HttpError): HttpError {
  const { statusCode, code, fields, retryAfterS = 0, cause } = error;
  const { rate_limited, other, ...byCode } = registerAnswers;
  const text = byCode[code as keyof typeof byCode] ?? other;
  const message = code === 'rate_limited' ? rate_limited(retryAfterS) : text;
  return new HttpError(statusCode, code, message, {
    ...(fields && { fields }),
    ...(retryAfterS > 0 && { retryAfterS }),
    cause,
  });
}

/** Converts form fields: browsers send a ticked box as "on", and leave an empty one out. */
function readForm(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: null, body: unknown) => void,
): void {
  const fields = Object.fromEntries(new URLSearchParams(String(text)));
  done(null, { ...fields, agreedToTerms: fields.agreedToTerms === 'on' });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return setPageHeaders(reply)
    .header('cache-control', 'no-store, no-transform')
    .type('text/html; charset=utf-8')
    .send(page);
}
