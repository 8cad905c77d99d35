/** The command line is wrong. The help text follows the message. */
export class UsageError extends Error {}
