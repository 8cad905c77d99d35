/** Finds the first day of a change: the day that makes the counts since then most likely. */

import type { Measure } from './baseline.ts';
import { range, type Series, type Table } from './counts.ts';
import { type Compared, expectationOf } from './expectation.ts';
import { LEAST_EXPECTED } from './mailed-changes.ts';
import { likelihoodRatio } from './p-value.ts';

/**
 * Ordinary days of the base that may belong to the change, because it was too small to be found
 * then.
 */
const REACH_DAYS = 13;

/** @returns the index of the day */
export function firstDayOf(
  table: Table,
  series: Series,
  measure: Measure,
  { base, window }: Compared,
): number {
  const day = window.at(-1) ?? 0;
  const reach = (base.days.at(-1) ?? 0) - REACH_DAYS;
  const oldest = Math.max(0, day - 2 * window.length - 3, reach);
  let best = { day, ratio: 0 };
  // From the latest to the oldest, so that the latest of equals wins: a new campaign had no visits
  // before.
  for (const first of range(oldest, day).reverse()) {
    const days = base.days.filter((one) => one < first);
    if (days.length === 0) break;
    const compared = { base: { ...base, days }, window: range(first, day) };
    const { observed, expected } = expectationOf(table, series, measure, compared);
    const ratio = likelihoodRatio(observed, Math.max(expected, LEAST_EXPECTED));
    if (ratio > best.ratio) best = { day: first, ratio };
  }
  return best.day;
}
