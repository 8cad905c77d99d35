/**
 * The bounds of a registration's fields, and the error messages in English. Section 5 of the
 * specification has the exact texts.
 */
export const NAME_MIN = 2;
/**
 * Upper bounds in characters that the specification lacks. They keep a registration below a few
 * kilobytes.
 */
export const NAME_MAX = 200;
export const EMAIL_TYPED_MAX = 254;
export const SMA_TYPE_MAX = 100;

export const REGISTER_MESSAGES = {
  firstNameShort: `First name must be at least ${NAME_MIN} characters`,
  firstNameLong: `First name must be at most ${NAME_MAX} characters`,
  lastNameShort: `Last name must be at least ${NAME_MIN} characters`,
  lastNameLong: `Last name must be at most ${NAME_MAX} characters`,
  email: 'Please enter a valid email address',
  smaTypeLong: `SMA type must be at most ${SMA_TYPE_MAX} characters`,
  agreedToTerms: 'You must agree to the terms and conditions',
  /**
   * The message of the trap for robots. It is an ordinary validation error, so that a person whose
   * browser has filled in the hidden field can correct it.
   */
  trap: 'Please empty the field “Message”: it is there to stop robots',
};

/** The messages in any language. */
export type RegisterMessages = typeof REGISTER_MESSAGES;
