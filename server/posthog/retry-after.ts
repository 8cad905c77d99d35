/** Reads `Retry-After`. */

/**
 * @param value seconds, or an HTTP date
 * @param now milliseconds since 1970
 * @param maxMs upper bound for the result
 * @returns milliseconds from 0 to `maxMs`; null if the value is missing or invalid
 */
export function readRetryAfter(
  value: string | null,
  now: number,
  maxMs = Number.POSITIVE_INFINITY,
): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), maxMs);
}
