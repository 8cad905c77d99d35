/**
 * The time in a click's id (UUID v7: its first 48 bits are milliseconds since 1970). Ids order the index. An id dated
 * far ahead would stay in a partition that no clean-up reaches.
 */

/** Upper bound, in milliseconds, for a browser's clock that is set to the wrong time zone. */
const AHEAD_MS = 24 * 60 * 60 * 1000;

/** When an id was made, in milliseconds since 1970, by its browser's clock. */
export const madeAt = (id: string): number =>
  Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16);

/** @param now the server's time, in milliseconds since 1970 */
export function isDatedAhead(id: string, now: number): boolean {
  // Hexadecimal numbers of equal length compare like strings. The id has a hyphen after its eighth digit.
  const limit = (now + AHEAD_MS).toString(16).padStart(12, '0');
  return `${id.slice(0, 8)}${id.slice(9, 13)}` > limit;
}
