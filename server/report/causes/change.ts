/** Describes a change of a slice, with its amounts from its first to its last day. */
import type { Measure } from './baseline.ts';
import type { Slice } from './combination.ts';
import { range, type Series, seriesOf, sumOverDays, type Table, valueAt } from './counts.ts';
import { type Compared, expectationOf } from './expectation.ts';
import type { Fact } from './find-facts.ts';
import { firstDayOf } from './first-day.ts';
import { LEAST_EXPECTED, type MailedChange } from './mailed-changes.ts';

/** A change. The report stores it as JSON. */
export interface Change {
  slice: Slice;
  measure: Measure;
  /** Observed and expected amount: visits a day, or clicks per 100 visits. */
  now: number;
  usual: number;
  /** Counts of the slice from `since` to `until`. */
  counts: { visits: number; clicks: number };
  /** First day of the change: 2026-01-31. */
  since: string;
  /** Last day of the change; while it goes on, the last day that was looked at. */
  until: string;
  /** Whether the change goes on. */
  isOpen: boolean;
}

/**
 * Describes a change that no alert has named yet.
 *
 * @param compared the window in which the change was found, and its baseline
 * @returns the change from its estimated first day to the window's last day. `ratio` is its
 * observed count divided by the expected one
 */
export function describeNewChange(
  table: Table,
  { slice, measure }: Fact,
  compared: Compared,
): Change & { ratio: number } {
  const series = seriesOf(table, slice);
  const first = firstDayOf(table, series, measure, compared);
  const days = range(first, compared.window.at(-1) ?? 0);
  const daysBefore = compared.baseline.days.filter((day) => day < first);
  const { observed, expected } = expectationOf(table, series, measure, {
    baseline: { ...compared.baseline, days: daysBefore },
    window: days,
  });
  const change = describe(table, series, days, { measure, observed, expected });
  return { ...change, isOpen: true, ratio: observed / Math.max(expected, LEAST_EXPECTED) };
}

/**
 * Describes a change that an alert has mailed, from its first day until today, or until it ended.
 *
 * @param today index of the last day that is over
 */
export function describeMailedChange(table: Table, mailed: MailedChange, today: number): Change {
  const { slice, measure, usual, since, ended } = mailed;
  const series = seriesOf(table, slice);
  const first = table.days.indexOf(since);
  const last = ended === null ? today : table.days.indexOf(ended) - 1;
  const days = range(first, Math.max(first, last));
  const observed = sumOverDays(measure === 'visits' ? series.visits : series.rated, days);
  const change = describe(table, series, days, { measure, observed, expected: 0 });
  return { ...change, usual, since, isOpen: ended === null };
}

/**
 * Describes a fact about a whole period as a change.
 *
 * @param days indexes of the period's days
 */
export function describePeriodChange(
  table: Table,
  { slice, measure, observed, expected }: Fact,
  days: number[],
): Change {
  const series = seriesOf(table, slice);
  return { ...describe(table, series, days, { measure, observed, expected }), isOpen: false };
}

interface Counted {
  measure: Measure;
  /** Visits or rated clicks on all the days together. */
  observed: number;
  expected: number;
}

function describe(
  table: Table,
  series: Series,
  days: number[],
  { measure, observed, expected }: Counted,
): Omit<Change, 'isOpen'> {
  return {
    slice: series.slice,
    measure,
    now: amountOf(observed, series, measure, days),
    usual: amountOf(expected, series, measure, days),
    counts: {
      visits: sumOverDays(series.visits, days),
      clicks: sumOverDays(series.rated, days),
    },
    since: table.days[valueAt(days, 0)] ?? '',
    until: table.days[valueAt(days, days.length - 1)] ?? '',
  };
}

/** Converts a count of all the days into visits a day, or into clicks per 100 visits. */
function amountOf(count: number, series: Series, measure: Measure, days: number[]): number {
  const visits = Math.max(1, sumOverDays(series.visits, days));
  return measure === 'visits' ? count / days.length : (100 * count) / visits;
}
