/** The clicks that the whole site should have had on each day, for the chart of the report. */

import { baseBefore } from './baseline.ts';
import { at, range, type Series, type Table } from './counts.ts';
import { expectationOf } from './expectation.ts';
import { comparableDays, type Told } from './mailed-changes.ts';

/** Nineteen of twenty ordinary days are so near to what is expected. */
const DEVIATIONS = 2;

export interface ExpectedDay {
  /** 2026-01-31. */
  day: string;
  low: number;
  high: number;
}

/**
 * @param days indexes
 * @param told what alerts have told: the days of those changes say nothing about the others
 * @returns none for days before which too few ordinary days are known
 */
export function expectClicks(
  table: Table,
  days: readonly number[],
  told: readonly Told[],
): ExpectedDay[] {
  const isComparable = comparableDays(table, told, at(days, days.length - 1));
  const clicks: Series = { ...table.all, visits: table.all.clicks };
  return days.flatMap((day) => {
    const base = baseBefore(table, day, isComparable);
    if (base === null) return [];
    const compared = { base, window: range(day, day) };
    const { expected, variation } = expectationOf(table, clicks, 'visits', compared);
    const room = DEVIATIONS * Math.sqrt(expected + expected * expected * variation);
    const [low, high] = [Math.max(0, expected - room), expected + room].map(Math.round);
    return [{ day: table.days[day] ?? '', low: low ?? 0, high: high ?? 0 }];
  });
}
