/** The clicks that the whole site should have had on each day, for the chart of the report. */

import { baselineBefore } from './baseline.ts';
import { range, type Series, type Table, valueAt } from './counts.ts';
import { expectationOf } from './expectation.ts';
import { type MailedChange, makeComparableDayTest } from './mailed-changes.ts';

/** Standard deviations of the band in the chart: 19 of 20 ordinary days are inside. */
const BAND_DEVIATIONS = 2;

export interface ExpectedDay {
  /** 2026-01-31. */
  day: string;
  low: number;
  high: number;
}

/**
 * Computes the band in which 19 of 20 ordinary days lie, in clicks of the whole site.
 *
 * @param days indexes of days in `Table.days`
 * @param told changes that alerts have mailed: their days are left out of the baseline
 * @returns an entry for each day before which enough ordinary days are known
 */
export function expectClicks(
  table: Table,
  days: readonly number[],
  told: readonly MailedChange[],
): ExpectedDay[] {
  const isComparable = makeComparableDayTest(table, told, valueAt(days, days.length - 1));
  const clicks: Series = { ...table.all, visits: table.all.clicks };
  return days.flatMap((day) => {
    const baseline = baselineBefore(table, day, isComparable);
    if (baseline === null) return [];
    const compared = { baseline, window: range(day, day) };
    const { expected, relativeVariance } = expectationOf(table, clicks, 'visits', compared);
    const halfWidth =
      BAND_DEVIATIONS * Math.sqrt(expected + expected * expected * relativeVariance);
    const [low, high] = [Math.max(0, expected - halfWidth), expected + halfWidth].map(Math.round);
    return [{ day: table.days[day] ?? '', low: low ?? 0, high: high ?? 0 }];
  });
}
