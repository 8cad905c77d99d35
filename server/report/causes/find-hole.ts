/** Finds a hole: hours without any visit, for longer than chance allows. */
import { at, range } from './counts.ts';

/** Visits in the team's time zone: 2026-01-31T14. Hours of a day without a visit are there too. */
export interface HourRow {
  hour: string;
  visits: number;
}

export interface Hole {
  /** The first of the hours: 2026-01-31T14. */
  since: string;
  hours: number;
  /** Visits that are usual in these hours. */
  expected: number;
  /** Mean visits of a day before. */
  usual: number;
}

/** The same hours of four weeks say what is usual. */
const DAYS = 28;
/** Less history is no comparison. */
const LEAST_DAYS = 14;
/** Largest counts that are left out of the same hours: a newsletter is no habit. */
const LEFT_OUT = 2;
/** Squared coefficient of variation of an hour. Hours vary more than days. */
const VARIATION = 0.1;
/** Chance of a false hole in an hour: about one in a century. */
const LOG_CHANCE = Math.log(1e-6);

/** @param hours without a gap; the last one is over @returns null: visits come as usual */
export function findHole(hours: readonly HourRow[]): Hole | null {
  if (hours.length <= LEAST_DAYS * 24) return null;
  const last = hours.findLastIndex(({ visits }) => visits > 0);
  return holeOf(hours, last + 1, hours.length);
}

/** @param hours as of `findHole` @returns every hole of these hours, also those that are over */
export function findHoles(hours: readonly HourRow[]): Hole[] {
  const busy = [...hours.flatMap(({ visits }, i) => (visits > 0 ? [i] : [])), hours.length];
  return busy.flatMap((end, i) => {
    const begin = (busy[i - 1] ?? -1) + 1;
    return begin < LEAST_DAYS * 24 ? [] : (holeOf(hours, begin, end) ?? []);
  });
}

/**
 * @param end index of the first hour after it
 * @returns null: so few visits are usual in these hours that none may come by chance
 */
function holeOf(hours: readonly HourRow[], begin: number, end: number): Hole | null {
  const visits = hours.slice(0, end).map((one) => one.visits);
  const expected = range(begin, end - 1).reduce((sum, hour) => sum + usualOf(visits, hour), 0);
  // P(0) of a negative binomial distribution.
  const logChance = -Math.log1p(expected * VARIATION) / VARIATION;
  if (logChance >= LOG_CHANCE) return null;
  const usual = (24 * visits.reduce((sum, n) => sum + n, 0)) / begin;
  return { since: hours[begin]?.hour ?? '', hours: end - begin, expected, usual };
}

function usualOf(visits: readonly number[], hour: number): number {
  const same = range(1, DAYS).flatMap((days) => (hour >= 24 * days ? [hour - 24 * days] : []));
  const usual = same
    .map((one) => at(visits, one))
    .sort((a, b) => a - b)
    .slice(0, -LEFT_OUT);
  return usual.reduce((sum, n) => sum + n, 0) / Math.max(1, usual.length);
}
