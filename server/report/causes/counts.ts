/**
 * The table of counts: the only input of the engine. The product's SQL and the tests' invented
 * sites both make its rows, so the engine can be measured on any site.
 */
import {
  addButton,
  type Combination,
  createCombinations,
  type Dimension,
  keyOf,
  pick,
  type Slice,
} from './combination.ts';

/** One row for each day and combination of values. */
export interface CountRow extends Record<Dimension, string> {
  /** In the team's time zone: 2026-01-31. */
  day: string;
  visits: number;
  clicks: number;
  /** Clicks of counted visits: neither by private visitors nor by ping. Rates need them. */
  rated: number;
}

export interface Row extends CountRow {
  /** Its values without the button, and with it. */
  ofVisit: Combination;
  ofClick: Combination;
}

/**
 * Counts of one slice by index of the day. The visits of a button are those of all visitors who
 * could press it.
 */
export interface Series {
  slice: Slice;
  /** The names of its dimensions. The slices of a family share one part of the error. */
  family: string;
  visits: number[];
  clicks: number[];
  rated: number[];
}

export interface Table {
  /** Every day from the first to the last, also those without a row. */
  days: string[];
  /** 0: Monday. */
  weekdays: number[];
  /** By index of the day. */
  rows: Row[][];
  all: Series;
  /** All series by the key of their slice. */
  series: Map<string, Series>;
}

/** Fewer visits are not missed, and strangers who invent refs add no series. */
const LEAST_VISITS = 30;
/** So many visits bring about one click, and a slice is as well known by it. */
const VISITS_OF_A_CLICK = 10;

/** @param rows in any order */
export function makeTable(rows: readonly CountRow[]): Table {
  const days = listDays(rows.map(({ day }) => day).sort());
  const indexes = new Map(days.map((day, i) => [day, i]));
  const combine = createCombinations();
  const byDay: Row[][] = days.map(() => []);
  for (const row of rows) {
    const ofVisit = combine(row);
    const ofClick = addButton(ofVisit, row.cta);
    byDay[indexes.get(row.day) ?? 0]?.push({ ...row, ofVisit, ofClick });
  }
  const series = addUp(byDay);
  const all = series.get('') ?? newSeries({}, days.length);
  for (const one of series.values()) {
    const { cta, ...ofVisits } = one.slice;
    if (cta !== undefined) one.visits = (series.get(keyOf(ofVisits)) ?? all).visits;
  }
  const weekdays = days.map((day) => Temporal.PlainDate.from(day).dayOfWeek - 1);
  return { days, weekdays, rows: byDay, all, series };
}

function addUp(byDay: Row[][]): Map<string, Series> {
  const totals = new Map<string, number>();
  for (const { ofClick, visits, clicks } of byDay.flat())
    for (const { key } of ofClick.keys)
      totals.set(key, (totals.get(key) ?? 0) + visits + clicks * VISITS_OF_A_CLICK);
  const series = new Map<string, Series>();
  byDay.forEach((rows, day) => {
    for (const row of rows)
      for (const { key, names } of row.ofClick.keys) {
        if ((totals.get(key) ?? 0) < LEAST_VISITS) continue;
        const one = series.get(key) ?? newSeries(pick(row, names), byDay.length);
        series.set(key, one);
        for (const what of ['visits', 'clicks', 'rated'] as const)
          one[what][day] = at(one[what], day) + row[what];
      }
  });
  return series;
}

/** Whether a slice has so many visits or clicks on these days that a reader knows it. */
export function isKnown({ slice, visits, clicks }: Series, days: readonly number[]): boolean {
  const own = slice.cta === undefined ? sumOf(visits, days) : 0;
  return own + sumOf(clicks, days) * VISITS_OF_A_CLICK >= LEAST_VISITS;
}

function listDays(sorted: readonly string[]): string[] {
  const days: string[] = [];
  const [first, last = ''] = [sorted[0], sorted.at(-1)];
  if (first === undefined) return days;
  for (let day = first; day <= last; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** @param day 2026-01-31 @param n days later; below 0: earlier */
export const dayAfter = (day: string, n: number): string =>
  String(Temporal.PlainDate.from(day).add({ days: n }));

function newSeries(slice: Slice, length: number): Series {
  const zeros = () => new Array<number>(length).fill(0);
  const family = Object.keys(slice).join();
  return { slice, family, visits: zeros(), clicks: zeros(), rated: zeros() };
}

/** Counts of any slice. A slice with too few rows has none. */
export const seriesOf = (table: Table, slice: Slice): Series =>
  table.series.get(keyOf(slice)) ?? newSeries(slice, table.days.length);

export const rowsOf = (table: Table, days: readonly number[]): Row[] =>
  days.flatMap((day) => table.rows[day] ?? []);

export const at = (values: readonly number[], i: number): number => values[i] ?? 0;
export const sumOf = (values: readonly number[], days: readonly number[]): number =>
  days.reduce((sum, day) => sum + at(values, day), 0);
/** @returns whole numbers from `first` to `last`, both included */
export const range = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
