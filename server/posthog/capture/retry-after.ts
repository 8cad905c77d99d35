/** Reads `Retry-After`. */

/** Upper bound. PostHog's own clients use the same one. */
const MAX_MS = 30_000;

/**
 * @param value seconds, or an HTTP date
 * @param now milliseconds since 1970
 * @returns milliseconds from 0 to 30,000; null if the value is missing or invalid
 */
export function readRetryAfter(value: string | null, now: number): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_MS);
}
