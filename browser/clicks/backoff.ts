/** Computes when to try again. */
const FIRST_MS = 1000;
const LONGEST_MS = 5 * 60 * 1000;
/** Upper bound for the server's `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 60 * 60 * 1000;

/**
 * Full jitter: a random delay between zero and a bound that doubles. So browsers that lost the
 * server together do not retry together.
 *
 * @param attempt 0 for the first failure
 * @param random between 0 and 1
 */
export function backoffMs(attempt: number, random: number): number {
  return random * Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
}

/**
 * @param header a `Retry-After`: seconds, or an HTTP date
 * @param now milliseconds since 1970
 */
export function retryAfterMs(header: string | null, now: number): number {
  if (!header) return 0;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
