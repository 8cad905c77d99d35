/** How far the clock of a browser may differ from the server's. */
import { DAY_MS } from '../time.ts';

/**
 * Upper bound for a browser's clock ahead of the server's, in milliseconds. A wrong time zone makes
 * a clock wrong by at most a day.
 */
export const ID_AHEAD_MS = DAY_MS;
/**
 * Upper bound for the age of an id, in milliseconds. Browsers retry a click for 7 days. Rows that
 * are older may have been deleted, so the table could not recognise a repetition.
 */
export const OLDEST_ID_MS = 8 * DAY_MS;

/** Whether a time of a browser's clock is within these bounds. Milliseconds since 1970. */
export const isPlausibleTime = (ms: number, now: number): boolean =>
  ms <= now + ID_AHEAD_MS && ms >= now - OLDEST_ID_MS;
