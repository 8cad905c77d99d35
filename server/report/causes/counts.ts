/**
 * Makes the table of counts, which is the only input of the engine that explains changes. Its rows
 * come from the product's SQL or from the tests' invented sites, so the engine can be measured on
 * any site.
 */
import {
  addButton,
  type CauseDimension,
  type Combination,
  createCombinations,
  keyOf,
  pickValues,
  type Slice,
} from './combination.ts';

/** One row for each day and combination of values. */
export interface CountRow extends Record<CauseDimension, string> {
  /** Date in the team's time zone: 2026-01-31. */
  day: string;
  visits: number;
  clicks: number;
  /**
   * Clicks whose visit is counted too, which are those of click rates. Private visitors and pings
   * have no counted visit.
   */
  rated: number;
}

export interface TableRow extends CountRow {
  /** The row's values without the button. */
  ofVisit: Combination;
  /** The row's values with the button. */
  ofClick: Combination;
}

/**
 * Time series of one slice: `visits[i]` are those of the day `Table.days[i]`. The visits of a
 * button are those of all visitors who could press it.
 */
export interface Series {
  slice: Slice;
  /** Names of the slice's dimensions, joined by commas. correction.ts treats a family as one. */
  family: string;
  visits: number[];
  clicks: number[];
  rated: number[];
}

export interface Table {
  /** Every day from the first to the last, also those without a row. */
  days: string[];
  /** Weekday of each day. 0: Monday. */
  weekdays: number[];
  /** Rows of each day, by the index of the day. */
  rows: TableRow[][];
  /** Series of the whole site. */
  all: Series;
  /** Series of all slices with enough visits or clicks, by the key of the slice. */
  series: Map<string, Series>;
}

/**
 * Slices with fewer visits in the whole table get no series. They are too few for most findings,
 * and without this bound strangers who invent refs could make the table large.
 */
const LEAST_VISITS = 30;
/** One click counts as much as this number of visits: a click rate is about 10 per 100 visits. */
const VISITS_PER_CLICK = 10;

/** Makes the table of counts. @param rows in any order */
export function makeTable(rows: readonly CountRow[]): Table {
  const days = listDays(rows.map(({ day }) => day).sort());
  const indexes = new Map(days.map((day, i) => [day, i]));
  const combine = createCombinations();
  const byDay: TableRow[][] = days.map(() => []);
  for (const row of rows) {
    const ofVisit = combine(row);
    const ofClick = addButton(ofVisit, row.cta);
    byDay[indexes.get(row.day) ?? 0]?.push({ ...row, ofVisit, ofClick });
  }
  const series = sumSeries(byDay);
  const all = series.get('') ?? newSeries({}, days.length);
  for (const sliceSeries of series.values()) {
    const { cta, ...ofVisits } = sliceSeries.slice;
    if (cta !== undefined) sliceSeries.visits = (series.get(keyOf(ofVisits)) ?? all).visits;
  }
  const weekdays = days.map((day) => Temporal.PlainDate.from(day).dayOfWeek - 1);
  return { days, weekdays, rows: byDay, all, series };
}

/** Adds up the rows of each slice. Slices with fewer than LEAST_VISITS are left out. */
function sumSeries(byDay: TableRow[][]): Map<string, Series> {
  const totals = new Map<string, number>();
  for (const { ofClick, visits, clicks } of byDay.flat())
    for (const { key } of ofClick.keys)
      totals.set(key, (totals.get(key) ?? 0) + visits + clicks * VISITS_PER_CLICK);
  const series = new Map<string, Series>();
  byDay.forEach((rows, day) => {
    for (const row of rows)
      for (const { key, names } of row.ofClick.keys) {
        if ((totals.get(key) ?? 0) < LEAST_VISITS) continue;
        const sliceSeries = series.get(key) ?? newSeries(pickValues(row, names), byDay.length);
        series.set(key, sliceSeries);
        for (const what of ['visits', 'clicks', 'rated'] as const)
          sliceSeries[what][day] = valueAt(sliceSeries[what], day) + row[what];
      }
  });
  return series;
}

/** Whether a slice has at least LEAST_VISITS on these days, or as much in clicks. */
export function isKnown({ slice, visits, clicks }: Series, days: readonly number[]): boolean {
  const own = slice.cta === undefined ? sumOverDays(visits, days) : 0;
  return own + sumOverDays(clicks, days) * VISITS_PER_CLICK >= LEAST_VISITS;
}

/** Lists all days from the first to the last. @param sorted days with rows, the first one first */
function listDays(sorted: readonly string[]): string[] {
  const days: string[] = [];
  const [first, last = ''] = [sorted[0], sorted.at(-1)];
  if (first === undefined) return days;
  for (let day = first; day <= last; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** Returns the day `n` days later; below 0: earlier. @param day 2026-01-31 */
export const dayAfter = (day: string, n: number): string =>
  String(Temporal.PlainDate.from(day).add({ days: n }));

function newSeries(slice: Slice, length: number): Series {
  const zeros = () => new Array<number>(length).fill(0);
  const family = Object.keys(slice).join();
  return { slice, family, visits: zeros(), clicks: zeros(), rated: zeros() };
}

/** Returns the series of a slice. A slice that was left out of the table has only zeros. */
export const seriesOf = (table: Table, slice: Slice): Series =>
  table.series.get(keyOf(slice)) ?? newSeries(slice, table.days.length);

/** Returns the rows of some days. @param days their indexes */
export const rowsOf = (table: Table, days: readonly number[]): TableRow[] =>
  days.flatMap((day) => table.rows[day] ?? []);

/** Returns the value with an index, or 0. */
export const valueAt = (values: readonly number[], i: number): number => values[i] ?? 0;
/** Adds up the values of some days. @param days their indexes */
export const sumOverDays = (values: readonly number[], days: readonly number[]): number =>
  days.reduce((sum, day) => sum + valueAt(values, day), 0);
/** Lists the whole numbers from `first` to `last`, both included. */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
