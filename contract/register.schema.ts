/**
 * Body and answer (201) of POST /api/register: sections 3 and 5 of the specification, with its exact messages. It uses
 * zod/mini, because the bundler can remove its unused parts: full zod would add 15 KB to the form.
 */
import * as z from 'zod/mini';

import { LANGUAGES } from './language.ts';
import {
  EMAIL_MAX,
  NAME_MAX,
  NAME_MIN,
  REGISTER_MESSAGES,
  type RegisterMessages,
  SMA_TYPE_MAX,
} from './register-messages.ts';

const name = (short: string, long: string) =>
  z
    .string({ error: short })
    .check(z.trim(), z.minLength(NAME_MIN, short), z.maxLength(NAME_MAX, long));

export const MIN_FILL_MS = 2000;

/** Makes the schema of a body with messages in one language: the specification's five fields, and two that the site's own form may add. */
export const makeRegisterBodySchema = (messages: RegisterMessages) =>
  z.object({
    firstName: name(messages.firstNameShort, messages.firstNameLong),
    lastName: name(messages.lastNameShort, messages.lastNameLong),
    email: z.pipe(
      z.string({ error: messages.email }).check(
        z.trim(),
        // Some keyboards type full-width letters and a full-width @.
        z.normalize('NFKC'),
        z.maxLength(EMAIL_MAX, messages.email),
      ),
      z.email(messages.email),
    ),
    smaType: z.optional(
      z.string().check(z.trim(), z.maxLength(SMA_TYPE_MAX, messages.smaTypeLong)),
    ),
    agreedToTerms: z.literal(true, { error: messages.agreedToTerms }),
    /** The hidden field against robots. It must be empty. */
    message: z.optional(z.string().check(z.maxLength(0, messages.trap))),
    /** Time from the form's appearance to its submission, in milliseconds by the browser's clock. Absent without script. */
    filledMs: z.optional(
      z.number(messages.tooQuick).check(z.minimum(MIN_FILL_MS, messages.tooQuick)),
    ),
  });

/** The body of POST /api/register, with the specification's messages. */
export const registerBodySchema = makeRegisterBodySchema(REGISTER_MESSAGES);

/** The query of POST /api/register: the language of the form's page. Absent: English. */
export const registerQuerySchema = z.object({ language: z.optional(z.enum(LANGUAGES)) });

type Body = z.output<typeof registerBodySchema>;
export type Registration = Pick<
  Body,
  'firstName' | 'lastName' | 'email' | 'smaType' | 'agreedToTerms'
>;

/** The form's default values (specification, section 3). */
export const REGISTER_DEFAULTS = {
  firstName: '',
  lastName: '',
  email: '',
  smaType: '',
  agreedToTerms: false,
};
export type RegisterFields = typeof REGISTER_DEFAULTS;

/** The same answer for a new and for a known address. */
export const registerAnswerSchema = z.object({ status: z.literal('registered') });
export type RegisterAnswer = z.infer<typeof registerAnswerSchema>;
