/** The week of the weekly mail. Apart from the report, whose drawings would cost the server 0.4 s and 45 MB at its start. */
import { dayOf, isoWeek, startOf } from '../weeks.ts';

export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;
/** Hours after the week's end, so that clicks that were under way are in it. */
export const DUE_HOUR = 6;

/** @returns the last complete week whose report is due; `now` in milliseconds since 1970 */
export function dueWeek(now: number): string {
  return isoWeek(dayOf(mondayOf(now - DUE_HOUR * HOUR_MS) - WEEK_MS));
}

function mondayOf(ms: number): number {
  const day = startOf(dayOf(ms));
  return day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;
}

/** @returns milliseconds since 1970 of the Monday with which an ISO week begins */
export function startOfWeek(week: string): number {
  const [year = 0, number = 0] = week.split('-W').map(Number);
  // January 4 is always in week 1.
  return mondayOf(Date.UTC(year, 0, 4)) + (number - 1) * WEEK_MS;
}
