/** Body and answer of POST /api/register: the specification's sections 3 and 5, with its exact messages. */
import { z } from 'zod';

const NAME_MIN = 2;

/** Not in the specification; they keep one registration below a few kilobytes. */
const NAME_MAX = 200;
const EMAIL_MAX = 254;
const SMA_TYPE_MAX = 100;

const name = (label: string) =>
  z
    .string({ error: `${label} must be at least ${NAME_MIN} characters` })
    .trim()
    .min(NAME_MIN, `${label} must be at least ${NAME_MIN} characters`)
    .max(NAME_MAX, `${label} must be at most ${NAME_MAX} characters`);

export const registerSchema = z.object({
  firstName: name('First name'),
  lastName: name('Last name'),
  email: z
    .string({ error: 'Please enter a valid email address' })
    .trim()
    .max(EMAIL_MAX, 'Please enter a valid email address')
    .pipe(z.email('Please enter a valid email address')),
  smaType: z.string().trim().max(SMA_TYPE_MAX).optional(),
  agreedToTerms: z.literal(true, { error: 'You must agree to the terms and conditions' }),
});

export type Registration = z.output<typeof registerSchema>;

/** The form before anything is typed (specification, section 3). */
export const REGISTER_DEFAULTS = {
  firstName: '',
  lastName: '',
  email: '',
  smaType: '',
  agreedToTerms: false,
};
export type RegisterFields = typeof REGISTER_DEFAULTS;

export const registerAnswerSchema = z.object({ status: z.literal('registered') });
export type RegisterAnswer = z.infer<typeof registerAnswerSchema>;
