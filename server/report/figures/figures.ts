/** Defines the figures of a period, as they come from the database. */
import { TABLES, type TableName } from './selection.ts';

/**
 * Numbers of visits and clicks by people. Robots are in none of them. `rated`: clicks whose visit
 * is counted, so neither of private visitors nor by ping.
 */
export type Counts = ReturnType<typeof noCounts>;
/** Counts by the key of a row. */
export type CountsByKey = Record<string, Counts>;

export const noCounts = () => ({ visits: 0, clicks: 0, rated: 0 });

export type Figures = ReturnType<typeof emptyFigures>;

export function emptyFigures() {
  return {
    ...noCounts(),
    /** Page views, those that begin a visit included. */
    views: 0,
    /** Views that ended within a second, without an input of the visitor. */
    briefViews: 0,
    registrations: 0,
    /**
     * Counts by day in the team's time zone, `2026-11-05`; in a report of one day by hour,
     * `2026-11-05T14`.
     */
    byDay: {} as CountsByKey,
    /** Clicks by weekday and two hours, `thu 14`, without the filter of the weekday. */
    byHour: {} as CountsByKey,
    tables: Object.fromEntries(TABLES.map((name) => [name, {}])) as Record<TableName, CountsByKey>,
    /**
     * Counts of clicks with a property. Way of delivery: `fetch`, `beacon`, `ping`. `scripted`:
     * pressed by a script. `late`: the first delivery failed. Not sent to PostHog: `private`,
     * `unknown` (a button that the server does not know) and `forgotten`.
     */
    marks: {} as CountsByKey,
    /** Robots, the team's own, and automated browsers. They are in no other figure. */
    robots: noCounts(),
    internal: noCounts(),
    automated: noCounts(),
    /**
     * Clicks that are proven lost: their numbers are missing in a visit and are too old to come, or
     * a browser says that it dropped them.
     */
    lost: 0,
    /** Clicks whose numbers are missing in a visit, and that may still come. */
    pending: 0,
    /**
     * Clicks in PostHog's outbox: those that wait, or that PostHog refused. `since`: when the
     * oldest was queued, in milliseconds since 1970; null: there is none.
     */
    waiting: { clicks: 0, since: null as number | null },
    /**
     * Clicks from before PostHog was switched on. `since`: when it was, in milliseconds since 1970;
     * 0: it is off.
     */
    beforePosthog: { clicks: 0, since: 0 },
    /**
     * Time of the newest visit or click, also outside the period, in milliseconds since 1970. null:
     * none has come.
     */
    lastAt: null as number | null,
  };
}

/** Adds up counts. */
export const addUp = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, { visits, clicks, rated }) => ({
      visits: sum.visits + visits,
      clicks: sum.clicks + clicks,
      rated: sum.rated + rated,
    }),
    noCounts(),
  );
