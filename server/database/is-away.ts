/** Recognises database errors that end without an operator. In its own file, so that it does not load the library. */

/** Codes for: no server, a starting server, too many connections. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
  ...['57P01', '57P02', '57P03', '53300', '55P03', '57014', '40P01'],
]);

/** The code of a missing table. */
export const TABLES_GONE = '42P01';
/** The rest of a sentence about a database without its tables. In this file, so that /healthz does not load the library. */
export const TABLES_ADVICE =
  'its tables are gone. Restore the dump, or restart the servers: they make the tables and add their clicks. Registrations come back with the dump alone.';

export function isAway(cause: unknown): boolean {
  return AWAY.has(codeOf(cause));
}

export function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code;
  if (typeof code === 'string') return code;
  // pg reports these errors by their message, without a code.
  const message = cause instanceof Error ? cause.message : '';
  return /timeout|terminated|connection error/i.test(message) ? 'ETIMEDOUT' : '';
}
