/**
 * Body and answer (201) of POST /api/register: sections 3 and 5 of the specification, with its
 * exact messages. It uses zod/mini, from which the bundler can remove unused parts. Full zod would
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

// Set before any schema is made: zod would otherwise compile code, which the page's content
// security policy blocks and reports.
if (typeof document !== 'undefined') z.config({ jitless: true });

/** Makes the schema of a name, with the messages for a short and a long one. */
const nameSchema = (short: string, long: string) =>
  z
    .string({ error: short })
    .check(z.trim(), z.minLength(NAME_MIN, short), z.maxLength(NAME_MAX, long));

/**
 * Makes the schema of the body, with messages in one language. Its fields are in the form's order:
 * the specification's five, and the trap for robots.
 */
export const makeRegisterBodySchema = (messages: RegisterMessages) =>
  z.object({
    firstName: nameSchema(messages.firstNameShort, messages.firstNameLong),
    lastName: nameSchema(messages.lastNameShort, messages.lastNameLong),
    email: z.string({ error: messages.email }).check(
      z.trim(),
      // Bounded before the patterns of toAsciiAddress run.
      z.maxLength(EMAIL_TYPED_MAX, { error: messages.email, abort: true }),
      // Some keyboards type full-width letters and a full-width @.
      z.normalize('NFKC'),
      z.refine((typed) => toAsciiAddress(typed) !== null, messages.email),
    ),
    /** The trap: a hidden field that only robots fill in. It must be empty. */
    message: z.optional(z.string().check(z.maxLength(0, messages.trap))),
    smaType: z.optional(
      z.string().check(z.trim(), z.maxLength(SMA_TYPE_MAX, messages.smaTypeLong)),
    ),
    agreedToTerms: z.literal(true, { error: messages.agreedToTerms }),
  });

/**
 * Converts the checkbox of an HTML form to a boolean. Browsers send `on` for a ticked one, and
 * nothing for another one.
 */
export const readCheckboxes = (fields: Record<string, unknown>) => ({
  ...fields,
  agreedToTerms: fields.agreedToTerms === 'on',
});

/** The query of POST /api/register: the language of the form's page. Absent: English. */
export const registerQuerySchema = z.object({ language: z.optional(z.enum(LANGUAGES)) });

type Schema = ReturnType<typeof makeRegisterBodySchema>;
export type RegisterField = keyof Schema['shape'];
/** A registration: the specification's five fields, without the trap. */
export type Registration = Omit<z.output<Schema>, 'message'>;

/**
 * The answer. It is the same for a new and for a known address, so that nobody can find out who is
 * registered.
 */
export const registerAnswerSchema = z.object({ status: z.literal('registered') });
export type RegisterAnswer = z.infer<typeof registerAnswerSchema>;
