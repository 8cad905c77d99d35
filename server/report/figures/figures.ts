/** The figures of a period, before they are written. */
import { TABLES, type TableName } from './selection.ts';

/**
 * People's; robots are in no number. `rated`: clicks whose visit is counted, so neither private nor
 * by ping.
 */
export type Counts = ReturnType<typeof noCounts>;
export type Table = Record<string, Counts>;

export const noCounts = () => ({ visits: 0, clicks: 0, rated: 0 });

export type Figures = ReturnType<typeof emptyFigures>;

export function emptyFigures() {
  return {
    ...noCounts(),
    /** Page views: those that begin a visit, and the others. */
    views: 0,
    /** Views that ended within a second, without an input. */
    briefViews: 0,
    registrations: 0,
    /** By day in the team's zone, `2026-11-05`; in a report of one day by hour, `2026-11-05T14`. */
    byDay: {} as Table,
    /** Clicks by weekday and two hours, `thu 14`, without the filter of the weekday. */
    byHour: {} as Table,
    tables: Object.fromEntries(TABLES.map((name) => [name, {}])) as Record<TableName, Table>,
    /**
     * By way of delivery: fetch, beacon, ping. `scripted`: pressed by a script. `late`: clicks
     * whose first delivery failed. Clicks that PostHog does not get: `private`, `unknown` (buttons)
     * and `forgotten`.
     */
    marks: {} as Table,
    /** They are in no other figure. */
    robots: noCounts(),
    internal: noCounts(),
    automated: noCounts(),
    /**
     * Clicks proven lost: their numbers are missing in a visit and cannot come any more, or
     * browsers dropped them.
     */
    lost: 0,
    /** Missing clicks that may still come. */
    pending: 0,
    /**
     * Clicks that wait for PostHog or were refused, and since when the oldest waits: milliseconds
     * since 1970; null: none.
     */
    waiting: { clicks: 0, since: null as number | null },
    /**
     * Clicks from before PostHog was switched on, and when that was: milliseconds since 1970; 0: it
     * is off.
     */
    beforePosthog: { clicks: 0, since: 0 },
    /**
     * When the newest visit or click came, also outside the period: milliseconds since 1970; null:
     * none has come.
     */
    lastAt: null as number | null,
  };
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
