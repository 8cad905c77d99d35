/** Days and ISO weeks, all in UTC. */

const DAY_MS = 86_400_000;

/** @param ms since 1970 @returns such as `2026-01-31` */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** @returns milliseconds since 1970 of the day's start */
export const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** @returns the ISO 8601 week, such as `2026-W05`. Weeks begin on Monday; week 1 has the year's first Thursday. */
export function isoWeek(day: string): string {
  const ms = startOf(day);
  const weekday = (new Date(ms).getUTCDay() + 6) % 7;
  const thursday = ms + (3 - weekday) * DAY_MS;
  const year = new Date(thursday).getUTCFullYear();
  const number = 1 + Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * DAY_MS));
  return `${year}-W${String(number).padStart(2, '0')}`;
}
