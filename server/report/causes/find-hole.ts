/** Finds holes: so many hours without any visit that chance is no explanation (an outage). */
import { range, valueAt } from './counts.ts';

/**
 * Visits of one hour in the team's time zone: 2026-01-31T14. Hours without a visit have a row too.
 */
export interface HourRow {
  hour: string;
  visits: number;
}

export interface Hole {
  /** First hour without a visit: 2026-01-31T14. */
  since: string;
  /** Number of hours. */
  hours: number;
  /** Number of visits that are usual in these hours. */
  expected: number;
  /** Mean number of visits a day before the hole. */
  usual: number;
}

/** Number of days before whose same hours say what is usual in an hour. */
const BASELINE_DAYS = 28;
/** With fewer days before, no hole is looked for. */
const LEAST_DAYS = 14;
/** Number of largest counts that are left out of the same hours (trimmed mean): newsletters. */
const TRIMMED_COUNTS = 2;
/**
 * Squared coefficient of variation of an hour, beyond that of a Poisson distribution. An estimate:
 * hours vary more than days, whose least value is 0.0064 (baseline.ts).
 */
const RELATIVE_VARIANCE = 0.1;
/** p-value below which hours are a hole. With a look each hour, chance brings one in a century. */
const LOG_SIGNIFICANCE_LEVEL = Math.log(1e-6);

/**
 * Finds the hole that goes on.
 *
 * @param hours all hours, without a gap. The last one is over
 * @returns null: visits come as usual, or there are too few days
 */
export function findHole(hours: readonly HourRow[]): Hole | null {
  if (hours.length <= LEAST_DAYS * 24) return null;
  const last = hours.findLastIndex(({ visits }) => visits > 0);
  return holeOf(hours, last + 1, hours.length);
}

/** Finds every hole of these hours, also those that are over. @param hours as for `findHole` */
export function findHoles(hours: readonly HourRow[]): Hole[] {
  const hoursWithVisits = [
    ...hours.flatMap(({ visits }, i) => (visits > 0 ? [i] : [])),
    hours.length,
  ];
  return hoursWithVisits.flatMap((end, i) => {
    const begin = (hoursWithVisits[i - 1] ?? -1) + 1;
    return begin < LEAST_DAYS * 24 ? [] : (holeOf(hours, begin, end) ?? []);
  });
}

/**
 * Tests the hours from `begin` to before `end`, which have no visit.
 *
 * @returns null: so few visits are usual in these hours that none may come by chance
 */
function holeOf(hours: readonly HourRow[], begin: number, end: number): Hole | null {
  const visits = hours.slice(0, end).map((row) => row.visits);
  const expected = range(begin, end - 1).reduce((sum, hour) => sum + usualOf(visits, hour), 0);
  // P(X = 0) of a negative binomial distribution: (1 + mean * v) ** (-1 / v), v: relative variance.
  const logPValue = -Math.log1p(expected * RELATIVE_VARIANCE) / RELATIVE_VARIANCE;
  if (logPValue >= LOG_SIGNIFICANCE_LEVEL) return null;
  const usual = (24 * visits.reduce((sum, n) => sum + n, 0)) / begin;
  return { since: hours[begin]?.hour ?? '', hours: end - begin, expected, usual };
}

/** Returns the trimmed mean of the visits in the same hour of the days before. */
function usualOf(visits: readonly number[], hour: number): number {
  const sameHours = range(1, BASELINE_DAYS).flatMap((days) =>
    hour >= 24 * days ? [hour - 24 * days] : [],
  );
  const usual = sameHours
    .map((sameHour) => valueAt(visits, sameHour))
    .sort((a, b) => a - b)
    .slice(0, -TRIMMED_COUNTS);
  return usual.reduce((sum, n) => sum + n, 0) / Math.max(1, usual.length);
}
