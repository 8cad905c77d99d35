/** A line of the server's own log on standard output. It has nothing of a visitor. */
import { z } from 'zod';
import { pinoFields } from './click-line.schema.ts';

const text = z.string();

/** pino's form of an Error, perhaps with its cause. Drivers of databases add fields of their own. */
const errorSchema = z.looseObject({ type: text, message: text, stack: text });

export const logLineSchema = z.strictObject({
  ...pinoFields,
  /** A sentence for the operator. */
  msg: text,
  err: errorSchema.optional(),
  /** Code of the answer's error, or of the database's. */
  code: text.optional(),
  /** Names of the invalid fields, without their values. */
  fields: z.array(text).optional(),
  method: text.optional(),
  /** Pattern of the request's route, such as /r/*; `unknown`: none. */
  route: text.optional(),
  req_id: text.max(36).optional(),
  /** Why mails wait, or why PostHog or an SMTP server has refused something. */
  reason: text.nullish(),
  /** Id of a mail, which has no name or address in it. */
  mail: text.optional(),
});
