/**
 * Converts between times and ids of clicks. An id is a UUID v7, which begins with the time when the
 * browser made it. So the primary key is also an index of time.
 */
import { OLDEST_ID_MS } from '../http/browser-clock.ts';
import { DAY_MS } from '../time.ts';

/**
 * Returns when an id was made by its browser's clock, in milliseconds since 1970: the first 48 bits
 * of a UUID v7.
 */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Returns the lowest possible id of a millisecond. @param ms milliseconds since 1970 */
export function lowestIdAt(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/**
 * Returns the lowest id that a click received since a time can have: ids are at most 8 days old.
 */
export const lowestIdReceivedSince = (ms: number): string => lowestIdAt(ms - OLDEST_ID_MS);

/**
 * Returns the time before which clicks are deleted. An id of the last 8 days stays in the table in
 * any case, because a browser may send it again.
 *
 * @param days clickRetentionDays, above 0
 */
export const clicksKeptSince = (days: number, now: number): number =>
  now - Math.max(days * DAY_MS, OLDEST_ID_MS);

/**
 * Returns the start of the first day (UTC) whose clicks still have their identifying columns, in
 * milliseconds since 1970. 0: all have them.
 *
 * @param days personalDataDays; 0: the columns stay as long as the row
 */
export function identifiedSince(days: number, now: number): number {
  if (days === 0) return 0;
  const since = now - days * DAY_MS;
  return since - (since % DAY_MS);
}
