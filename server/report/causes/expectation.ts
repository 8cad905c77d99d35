/**
 * Computes the expected visits or clicks of a slice in a window: its mean level on the ordinary
 * days of the baseline, times the seasonal index of each weekday (visits) or the window's own
 * visits (clicks).
 */

import type { Baseline, Measure } from './baseline.ts';
import { type Series, sumOverDays, type Table, valueAt } from './counts.ts';

/**
 * Half-life of the exponential weights: a day weighs half as much as a day four weeks later, so
 * that the expectation follows a trend.
 */
const HALF_LIFE_DAYS = 28;
/**
 * Standard deviation, as a fraction of the expectation, of a trend or of a wrong seasonal index. It
 * moves all days of a window the same way, so it does not average out.
 */
const DRIFT = 0.06;

/** The two sets of days that are compared. `window` has indexes of days in `Table.days`. */
export interface Compared {
  baseline: Baseline;
  window: number[];
}

export interface Expectation {
  observed: number;
  expected: number;
  /** Squared coefficient of variation of the expectation. */
  relativeVariance: number;
}

/**
 * Compares the counts of a window with the expectation. For visits the level is visits per average
 * day; for a rate it is clicks per visit, and the window's own visits are given.
 */
export function expectationOf(
  table: Table,
  series: Series,
  measure: Measure,
  { baseline, window }: Compared,
): Expectation {
  const exposure = (day: number) =>
    measure === 'visits'
      ? valueAt(baseline.weekday, valueAt(table.weekdays, day))
      : valueAt(series.visits, day);
  const values = measure === 'visits' ? series.visits : series.rated;
  const newest = valueAt(window, 0);
  let [counted, exposed, weightSum] = [0, 0, 0];
  for (const day of baseline.days) {
    const weight = 0.5 ** ((newest - day) / HALF_LIFE_DAYS);
    counted += weight * valueAt(values, day);
    exposed += weight * exposure(day);
    weightSum += weight;
  }
  const level = exposed > 0 ? counted / exposed : 0;
  const meanWeight = weightSum / Math.max(1, baseline.days.length);
  return {
    observed: sumOverDays(values, window),
    expected: level * window.reduce((sum, day) => sum + exposure(day), 0),
    relativeVariance: relativeVarianceOf(baseline, measure, window.length, counted / meanWeight),
  };
}

/**
 * Computes the relative variance (squared coefficient of variation) of an expectation, as a sum of
 * five parts: overdispersion of the window's days, overdispersion of the baseline's days, the error
 * of the weekdays' indexes, the Poisson error of the baseline's count, and DRIFT². Days resemble
 * their neighbours, so the first part is divided by the square root of the window's length only.
 *
 * @param length days of the window
 * @param counted visits or clicks that the baseline has
 */
export const relativeVarianceOf = (
  baseline: Baseline,
  measure: Measure,
  length: number,
  counted: number,
): number =>
  baseline.overdispersion[measure] / Math.sqrt(length) +
  baseline.overdispersion[measure] / baseline.days.length +
  (measure === 'visits' ? baseline.shareRelativeVariance / Math.min(length, 7) : 0) +
  1 / (counted + 0.5) +
  (length > 1 ? DRIFT ** 2 : 0);
