/**
 * Ids of clicks (UUID v7) begin with the time when the browser made them, so they are the order of
 * the table.
 */
import { OLDEST_ID_MS } from '../http/browser-clock.ts';
import { DAY_MS } from '../time.ts';

/**
 * @returns when an id was made, by its browser's clock: its first 48 bits are milliseconds since
 * 1970
 */
export const madeAt = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** @returns the smallest id of that millisecond */
export function firstIdOf(ms: number): string {
  const time = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** @returns the smallest id that a click can have which the server received since that time */
export const firstIdSince = (ms: number): string => firstIdOf(ms - OLDEST_ID_MS);

/**
 * @returns the time before which clicks are deleted. Younger ids may come again.
 * @param days clickRetentionDays, above 0
 */
export const clicksKeptSince = (days: number, now: number): number =>
  now - Math.max(days * DAY_MS, OLDEST_ID_MS);

/**
 * @param days personalDataDays; 0: as long as the row
 * @returns the start of the first day (UTC) whose clicks still have what identifies a visitor
 */
export function identifiedSince(days: number, now: number): number {
  if (days === 0) return 0;
  const since = now - days * DAY_MS;
  return since - (since % DAY_MS);
}
