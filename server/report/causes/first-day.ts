/**
 * Finds the first day of a change (change-point detection): the day since which a changed level
 * makes the counts most likely.
 */

import type { Measure } from './baseline.ts';
import { range, type Series, type Table } from './counts.ts';
import { type Compared, expectationOf } from './expectation.ts';
import { LEAST_EXPECTED } from './mailed-changes.ts';
import { logLikelihoodRatio } from './p-value.ts';

/**
 * Days at the end of the baseline that may already belong to the change, because the change was too
 * small to be found on them.
 */
const REACH_DAYS = 13;

/**
 * Tries each day up to twice the window's length back.
 *
 * @returns the index of the change's first day in `Table.days`
 */
export function firstDayOf(
  table: Table,
  series: Series,
  measure: Measure,
  { baseline, window }: Compared,
): number {
  const day = window.at(-1) ?? 0;
  const oldestOfBaseline = (baseline.days.at(-1) ?? 0) - REACH_DAYS;
  const oldest = Math.max(0, day - 2 * window.length - 3, oldestOfBaseline);
  let best = { day, ratio: 0 };
  // From the newest day back, so that the newest of equally likely days wins: days without a visit
  // before a new campaign change no likelihood.
  for (const first of range(oldest, day).reverse()) {
    const days = baseline.days.filter((baselineDay) => baselineDay < first);
    if (days.length === 0) break;
    const compared = { baseline: { ...baseline, days }, window: range(first, day) };
    const { observed, expected } = expectationOf(table, series, measure, compared);
    const ratio = logLikelihoodRatio(observed, Math.max(expected, LEAST_EXPECTED));
    if (ratio > best.ratio) best = { day: first, ratio };
  }
  return best.day;
}
