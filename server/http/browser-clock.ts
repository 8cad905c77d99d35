/** How far the clock of a browser may be from the server's. */
import { DAY_MS } from '../time.ts';

/** How far a browser's clock may be ahead: as much as a wrong time zone makes it. */
export const ID_AHEAD_MS = DAY_MS;
/**
 * Browsers keep a click for 7 days. Rows of this age may be deleted, so the table would not
 * recognise a repetition.
 */
export const OLDEST_ID_MS = 8 * DAY_MS;

/** Whether a time of a browser's clock, in milliseconds since 1970, is within these bounds. */
export const isPlausibleTime = (ms: number, now: number): boolean =>
  ms <= now + ID_AHEAD_MS && ms >= now - OLDEST_ID_MS;
