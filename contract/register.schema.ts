/**
 * Body and answer (201) of POST /api/register: sections 3 and 5 of the specification, with its exact messages. It uses
 * zod/mini, because the bundler can remove its unused parts: full zod would add 15 KB to the form.
 */
import * as z from 'zod/mini';

const NAME_MIN = 2;

/** Upper bounds that are not in the specification. They keep a registration below a few kilobytes. */
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
      // Some keyboards type full-width letters and a full-width @.
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
 * Messages for signs of a robot. The answer is an ordinary validation error, so that a person whose browser has filled the
 * hidden field can correct it.
 */
const TRAP_MESSAGE = 'Please empty the field “Message”: it is there to stop robots';
const TOO_QUICK_MESSAGE = 'That was very quick. Please send it again';
export const MIN_FILL_MS = 2000;

/** The body of POST /api/register: the specification's five fields, and two that the site's own form may add. */
export const registerBodySchema = z.extend(registerSchema, {
  /** The hidden field against robots. It must be empty. */
  message: z.optional(z.string().check(z.maxLength(0, TRAP_MESSAGE))),
  /** Time from the form's appearance to its submission, in milliseconds by the browser's clock. Absent without script. */
  filledMs: z.optional(
    z.number(TOO_QUICK_MESSAGE).check(z.minimum(MIN_FILL_MS, TOO_QUICK_MESSAGE)),
  ),
});

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
