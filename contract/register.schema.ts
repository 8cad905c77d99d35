/**
 * Body and answer (201) of POST /api/register: sections 3 and 5 of the specification, with its
 * exact messages. It uses zod/mini, because the bundler can remove its unused parts: full zod would
 * add 15 KB to the form.
 */
import * as z from 'zod/mini';
import { toAsciiAddress } from './email-address.ts';
import { LANGUAGES } from './language.ts';
import {
  EMAIL_TYPED_MAX,
  NAME_MAX,
  NAME_MIN,
  type RegisterMessages,
  SMA_TYPE_MAX,
} from './register-messages.ts';

// Before any schema: zod would compile code, which the page's content security policy refuses and
// reports.
if (typeof document !== 'undefined') z.config({ jitless: true });

const name = (short: string, long: string) =>
  z
    .string({ error: short })
    .check(z.trim(), z.minLength(NAME_MIN, short), z.maxLength(NAME_MAX, long));

/**
 * Makes the schema of a body with messages in one language, in the order of the form: the
 * specification's five fields, and the trap.
 */
export const makeRegisterBodySchema = (messages: RegisterMessages) =>
  z.object({
    firstName: name(messages.firstNameShort, messages.firstNameLong),
    lastName: name(messages.lastNameShort, messages.lastNameLong),
    email: z.string({ error: messages.email }).check(
      z.trim(),
      // The patterns of an address read no longer text.
      z.maxLength(EMAIL_TYPED_MAX, { error: messages.email, abort: true }),
      // Some keyboards type full-width letters and a full-width @.
      z.normalize('NFKC'),
      z.refine((typed) => toAsciiAddress(typed) !== null, messages.email),
    ),
    /** The hidden field against robots. It must be empty. */
    message: z.optional(z.string().check(z.maxLength(0, messages.trap))),
    smaType: z.optional(
      z.string().check(z.trim(), z.maxLength(SMA_TYPE_MAX, messages.smaTypeLong)),
    ),
    agreedToTerms: z.literal(true, { error: messages.agreedToTerms }),
  });

/** Makes a boolean of an HTML form's box: browsers send a ticked one as "on", and no empty one. */
export const readTicks = (fields: Record<string, unknown>) => ({
  ...fields,
  agreedToTerms: fields.agreedToTerms === 'on',
});

/** The query of POST /api/register: the language of the form's page. Absent: English. */
export const registerQuerySchema = z.object({ language: z.optional(z.enum(LANGUAGES)) });

type Schema = ReturnType<typeof makeRegisterBodySchema>;
export type RegisterField = keyof Schema['shape'];
/** The specification's fields. */
export type Registration = Omit<z.output<Schema>, 'message'>;

/** The same answer for a new and for a known address. */
export const registerAnswerSchema = z.object({ status: z.literal('registered') });
export type RegisterAnswer = z.infer<typeof registerAnswerSchema>;
