/** A change of a slice: what is told, with its amounts from its first to its last day. */

import type { Measure } from './baseline.ts';
import type { Slice } from './combination.ts';
import { at, range, type Series, seriesOf, sumOf, type Table } from './counts.ts';
import { type Compared, expectationOf } from './expectation.ts';
import type { Fact } from './find-facts.ts';
import { firstDayOf } from './first-day.ts';
import { LEAST_EXPECTED, type Told } from './mailed-changes.ts';

/** Amounts are visits a day, or clicks per 100 visits. */
export interface Change {
  slice: Slice;
  measure: Measure;
  now: number;
  usual: number;
  /** Counts of the slice from `since` to `until`. */
  counts: { visits: number; clicks: number };
  since: string;
  /** Last day of the change, or the last day that is known. */
  until: string;
  /** The change goes on. */
  isOpen: boolean;
}

export function newChange(
  table: Table,
  { slice, measure }: Fact,
  compared: Compared,
): Change & { ratio: number } {
  const series = seriesOf(table, slice);
  const first = firstDayOf(table, series, measure, compared);
  const last = compared.window.at(-1) ?? 0;
  const days = range(first, last);
  const base = { ...compared.base, days: compared.base.days.filter((day) => day < first) };
  const { observed, expected } = expectationOf(table, series, measure, { base, window: days });
  return {
    slice,
    measure,
    now: amountOf(observed, series, measure, days),
    usual: amountOf(expected, series, measure, days),
    counts: countsOf(series, days),
    since: table.days[first] ?? '',
    until: table.days[last] ?? '',
    isOpen: true,
    ratio: observed / Math.max(expected, LEAST_EXPECTED),
  };
}

/** A told change with its amounts until today, or until it was over. */
export function toldChange(table: Table, told: Told, today: number): Change {
  const { slice, measure, usual, since, ended } = told;
  const series = seriesOf(table, slice);
  const first = table.days.indexOf(since);
  const last = ended === null ? today : table.days.indexOf(ended) - 1;
  const days = range(first, Math.max(first, last));
  const seen = sumOf(measure === 'visits' ? series.visits : series.rated, days);
  return {
    slice,
    measure,
    now: amountOf(seen, series, measure, days),
    usual,
    counts: countsOf(series, days),
    since,
    until: table.days[at(days, days.length - 1)] ?? '',
    isOpen: ended === null,
  };
}

/** What a fact about a whole period says. @param days of the period */
export function periodChange(
  table: Table,
  { slice, measure, observed, expected }: Fact,
  days: number[],
): Change {
  const series = seriesOf(table, slice);
  return {
    slice,
    measure,
    now: amountOf(observed, series, measure, days),
    usual: amountOf(expected, series, measure, days),
    counts: countsOf(series, days),
    since: table.days[at(days, 0)] ?? '',
    until: table.days[at(days, days.length - 1)] ?? '',
    isOpen: false,
  };
}

function amountOf(n: number, series: Series, measure: Measure, days: number[]): number {
  const visits = Math.max(1, sumOf(series.visits, days));
  return measure === 'visits' ? n / days.length : (100 * n) / visits;
}

const countsOf = (series: Series, days: number[]): Change['counts'] => ({
  visits: sumOf(series.visits, days),
  clicks: sumOf(series.rated, days),
});
