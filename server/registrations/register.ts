/**
 * POST /api/register: validates a registration by the specification's rules and keeps one per e-mail address. Answers a form
 * without script with a page.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { registerAnswerSchema, registerBodySchema } from '#contract/register.schema.ts';
import type { Config } from '../config.ts';
import { sendError, toHttpError } from '../http/errors.ts';
import { type FormAnswers, readFormAnswers } from '../http/form-answers.ts';
import { unavailable } from '../http/http-error.ts';
import { readJsonBodies } from '../http/json-body.ts';
import { perMinute } from '../http/rate-limit/rate-limit.ts';
import { refuseForeignOrigin } from '../http/security.ts';
import { createMailTurns } from './mail/mail-turns.ts';
import type { Registrations } from './registrations.ts';

interface Options {
  config: Config;
  registrations: Registrations;
  site: BuiltSite;
}

const FORM = 'application/x-www-form-urlencoded';
const BODY_BYTES = 8 * 1024;
const RETRY_AFTER_S = 10;
/** Lower bound for the duration of an answer, above that of the work, so that the time reveals nothing about the address. */
const ANSWER_MS = 100;

export async function register(app: FastifyInstance, options: Options): Promise<void> {
  readJsonBodies(app);
  const mailTurn = createMailTurns();
  const answers = options.site.registerForm ? readFormAnswers(options.config.distDir) : null;
  if (answers) app.addContentTypeParser(FORM, { parseAs: 'string' }, readForm);
  app.withTypeProvider<ZodTypeProvider>().post(
    '/api/register',
    {
      bodyLimit: BODY_BYTES,
      config: { rateLimit: perMinute(options.config.rateLimit.register) },
      onRequest: refuseForeignOrigin,
      errorHandler: (cause, request, reply) => answerFault(cause, request, reply, answers),
      schema: { body: registerBodySchema, response: { 201: registerAnswerSchema } },
    },
    async (request, reply) => {
      const answerTime = wait(ANSWER_MS);
      try {
        const at = new Date();
        await options.registrations.add(request.body, at, mailTurn(request.ip, at));
      } catch (cause) {
        throw unavailable(
          'Your registration could not be saved. Please try again.',
          RETRY_AFTER_S,
          cause,
        );
      }
      await answerTime;
      reply.code(201);
      if (answers && isForm(request)) return sendPage(reply, answers.success);
      return reply.send({ status: 'registered' });
    },
  );
}

const isForm = (request: FastifyRequest) => request.headers['content-type']?.startsWith(FORM);

function answerFault(
  cause: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  answers: FormAnswers | null,
): void {
  if (answers && isForm(request)) {
    const { statusCode, message, fields } = toHttpError(cause);
    sendPage(reply.code(statusCode), answers.faults(fields ? Object.values(fields) : [message]));
  } else sendError(cause, request, reply);
}

/** Converts form fields: browsers send a ticked box as "on", and leave an empty one out. */
function readForm(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: null, body: unknown) => void,
): void {
  const fields = Object.fromEntries(new URLSearchParams(String(text)));
  done(null, { ...fields, agreedToTerms: 'agreedToTerms' in fields });
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .headers(reply.server.headersFor(reply.request).page)
    .type('text/html; charset=utf-8')
    .send(page);
}
