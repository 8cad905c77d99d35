/**
 * Body and answer (201) of POST /api/register: the specification's sections 3 and 5, with its exact messages. In zod's
 * mini form, which leaves out of the browser what is not used: the form would be 15 KB heavier.
 */
import * as z from 'zod/mini';

const NAME_MIN = 2;

/** Not in the specification; they keep one registration below a few kilobytes. */
const NAME_MAX = 200;
const EMAIL_MAX = 254;
const SMA_TYPE_MAX = 100;

const EMAIL_FAULT = 'Please enter a valid email address';

const name = (label: string) =>
  z
    .string({ error: `${label} must be at least ${NAME_MIN} characters` })
    .check(
      z.trim(),
      z.minLength(NAME_MIN, `${label} must be at least ${NAME_MIN} characters`),
      z.maxLength(NAME_MAX, `${label} must be at most ${NAME_MAX} characters`),
    );

export const registerSchema = z.object({
  firstName: name('First name'),
  lastName: name('Last name'),
  email: z.pipe(
    z.string({ error: EMAIL_FAULT }).check(
      z.trim(),
      // Wide letters and the wide @ of some keyboards are the plain ones.
      z.normalize('NFKC'),
      z.maxLength(EMAIL_MAX, EMAIL_FAULT),
    ),
    z.email(EMAIL_FAULT),
  ),
  smaType: z.optional(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(SMA_TYPE_MAX, `SMA type must be at most ${SMA_TYPE_MAX} characters`),
      ),
  ),
  agreedToTerms: z.literal(true, { error: 'You must agree to the terms and conditions' }),
});

export type Registration = z.output<typeof registerSchema>;

/**
 * What a robot does and a person does not. Both are answered like any other fault, so that a person whose browser
 * filled the trap learns of it.
 */
const TRAP_MESSAGE = 'Please empty the field “Message”: it is there to stop robots';
const TOO_QUICK_MESSAGE = 'That was very quick. Please send it again';
export const MIN_FILL_MS = 2000;

/** The body of POST /api/register: the specification's five fields, and two that the site's own form may add. */
export const registerBodySchema = z.extend(registerSchema, {
  /** A field that nobody can see. */
  message: z.optional(z.string().check(z.maxLength(0, TRAP_MESSAGE))),
  /** From when the form was there until it was sent, by the browser's clock; without script there is none. */
  filledMs: z.optional(
    z.number(TOO_QUICK_MESSAGE).check(z.minimum(MIN_FILL_MS, TOO_QUICK_MESSAGE)),
  ),
});

/** The form before anything is typed (specification, section 3). */
export const REGISTER_DEFAULTS = {
  firstName: '',
  lastName: '',
  email: '',
  smaType: '',
  agreedToTerms: false,
};
export type RegisterFields = typeof REGISTER_DEFAULTS;

/** The same whether the address was known or not. */
export const registerAnswerSchema = z.object({ status: z.literal('registered') });
export type RegisterAnswer = z.infer<typeof registerAnswerSchema>;
