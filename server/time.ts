/** Durations in milliseconds, the day of a time, and the type of a clock that tests replace. */

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A clock: returns milliseconds since 1970. */
export type Clock = () => number;

/** Returns the day of a time in UTC: `2026-01-31`. @param ms milliseconds since 1970 */
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
