/** Computes how long a browser waits before it sends a click again. */

/** Upper bound of the first random delay; it doubles with each failure. */
const FIRST_BOUND_MS = 1000;
/** The upper bound of the random delay grows no further than this. */
const LAST_BOUND_MS = 5 * 60 * 1000;
/** Upper bound for the server's `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 60 * 60 * 1000;

/**
 * Returns the delay of an exponential back-off with full jitter, in milliseconds: a random time
 * below a bound that doubles with each attempt. The random time keeps all browsers from retrying
 * together after an outage.
 *
 * @param attempt number of earlier failures: 0, 1, 2 …
 * @param random a number from 0 to 1
 */
export function backoffMs(attempt: number, random: number): number {
  return random * Math.min(LAST_BOUND_MS, FIRST_BOUND_MS * 2 ** attempt);
}

/**
 * Reads a response's `Retry-After` header.
 *
 * @param header seconds, or an HTTP date; null: the response has none
 * @param now milliseconds since 1970
 * @returns milliseconds from now, at most an hour; 0 if the header is missing or invalid
 */
export function retryAfterMs(header: string | null, now: number): number {
  if (!header) return 0;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isNaN(ms) ? 0 : Math.min(LONGEST_RETRY_AFTER_MS, Math.max(0, ms));
}
