/** Which errors of a database pass by themselves. Apart from the rest, so that nobody loads its library for this. */

/** Nobody is there, or not yet, or too many are. */
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
  // pg has words, but no code, for these.
  const message = cause instanceof Error ? cause.message : '';
  return /timeout|terminated|connection error/i.test(message) ? 'ETIMEDOUT' : '';
}
