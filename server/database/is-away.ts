/** Recognises database errors that end without an operator. In its own file, so that it does not load the library. */

/** Codes for: no server, a starting server, too many connections. */
const AWAY = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'ENOENT'],
  ...['57P01', '57P02', '57P03', '53300', '55P03', '57014', '40P01'],
]);

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
