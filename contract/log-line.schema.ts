/** A line of the server's own log on standard output, which also has a copy of each ledger line. */
import { z } from 'zod';
import { field, pinoFields } from './click-line.schema.ts';

const text = z.string();
const own = (name: string) => [`site.${name}`, `site.${name}`] as const;

/** pino's form of an Error, perhaps with its cause. Drivers of databases add fields of their own. */
const errorSchema = z.looseObject({ type: text, message: text, stack: text });

export const logLineSchema = z.strictObject({
  ...pinoFields,
  msg: field(text, 'A sentence for the operator', 'message', 'Body'),
  err: field(errorSchema.optional(), 'The error: type, message, stack, code', 'error', 'exception'),
  code: field(text.optional(), 'Code of the answer’s error', 'error.code', 'error.type'),
  fields: field(
    z.array(text).optional(),
    'Names of the invalid fields, without their values',
    ...own('fields'),
  ),
  method: field(
    text.optional(),
    'Method of the request',
    'http.request.method',
    'http.request.method',
  ),
  route: field(
    text.optional(),
    'Pattern of the request’s route, such as /r/*; `unknown`: none',
    'http.route',
    'http.route',
  ),
  status: field(
    z.int().optional(),
    'Status of the answer',
    'http.response.status_code',
    'http.response.status_code',
  ),
  duration_ms: field(
    z.number().nonnegative().optional(),
    'From the request’s head to the end of its answer',
    'event.duration',
    'http.server.request.duration',
  ),
  req_id: field(
    text.max(36).optional(),
    'The request; nginx and the ledger have the same id',
    'http.request.id',
    'site.request.id',
  ),
  kind: field(
    text.optional(),
    'What PostHog does: away, over_quota, refused, unreadable',
    ...own('posthog.kind'),
  ),
  detail: field(text.nullish(), 'PostHog’s own word for it', ...own('posthog.detail')),
  reason: field(
    text.nullish(),
    'Why mails wait, or why one was refused',
    'error.message',
    'error.message',
  ),
  mail: field(
    text.optional(),
    'Id of a mail, which has no name or address in it',
    ...own('mail.id'),
  ),
  movedTo: field(text.optional(), 'New path of a damaged file', 'file.path', 'file.path'),
});
