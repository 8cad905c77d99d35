/**
 * The time in a click's id (UUID v7: its first 48 bits are milliseconds since 1970). Ids order the index, so that one
 * dated far ahead would stay at its end, in a partition that no clean-up reaches.
 */

/** A browser's clock may be in another time zone by mistake, and not further off. Milliseconds. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/** @param now the server's time, in milliseconds since 1970 */
export function isDatedAhead(id: string, now: number): boolean {
  // Hexadecimal digits of one length compare as their numbers do; the hyphen is after the eighth.
  const limit = (now + AHEAD_MS).toString(16).padStart(12, '0');
  return `${id.slice(0, 8)}${id.slice(9, 13)}` > limit;
}
