/** The figures of a period, before they are written. */
import { OTHERS, TABLES, type TableName } from './selection.ts';

/** People's; robots are in no number. `rated`: clicks whose visit is counted, so neither private nor by ping. */
export type Counts = ReturnType<typeof noCounts>;
export type Table = Record<string, Counts>;

/** Strangers can send any number of names. */
const MOST_NAMES = 1000;

export const noCounts = () => ({ visits: 0, clicks: 0, rated: 0 });

export const emptyTable = (): Table => Object.create(null);

export type Figures = ReturnType<typeof emptyFigures>;

export function emptyFigures() {
  return {
    ...noCounts(),
    registrations: 0,
    /** By hour in the team's zone: `2026-11-05T14`. */
    byHour: emptyTable(),
    /** The same without the filter of the weekday; null: it has none. */
    byHourOfAllDays: null as Table | null,
    tables: Object.fromEntries(TABLES.map((name) => [name, emptyTable()])) as Record<
      TableName,
      Table
    >,
    /** By way of delivery: fetch, beacon, ping. `late`: clicks whose first delivery failed. Clicks that PostHog does not get: `private`, `unknown` (buttons) and `forgotten`. */
    marks: emptyTable(),
    /** They are in no other figure. */
    ...{ robots: noCounts(), internal: noCounts() },
    /** Clicks proven lost: their numbers are missing in a visit and cannot come any more, or browsers dropped them. */
    lost: 0,
    /** Missing clicks that may still come. */
    pending: 0,
    /** Clicks that wait for PostHog or were refused, and since when the oldest waits: milliseconds since 1970; null: none. */
    waiting: { clicks: 0, since: null as number | null },
    /** Clicks from before PostHog was switched on, and when that was: milliseconds since 1970; 0: it is off. */
    beforePosthog: { clicks: 0, since: 0 },
    /** When the newest visit or click came, also outside the period: milliseconds since 1970; null: none has come. */
    lastAt: null as number | null,
  };
}

export function rowOf(table: Table, name: string): Counts {
  table[name] ??= noCounts();
  return table[name];
}

export const addUp = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, { visits, clicks, rated }) => ({
      visits: sum.visits + visits,
      clicks: sum.clicks + clicks,
      rated: sum.rated + rated,
    }),
    noCounts(),
  );

/** Adds up the smallest rows of a table whose names strangers choose. */
export function withoutSmallest(table: Table): Table {
  const rows = Object.entries(table);
  if (rows.length <= MOST_NAMES) return table;
  rows.sort(([, a], [, b]) => b.clicks - a.clicks || b.visits - a.visits);
  const others = rows.splice(MOST_NAMES).map(([, row]) => row);
  return Object.fromEntries([...rows, [OTHERS, addUp(others)]]);
}
