/** Computes the counts of GET /api/stats, once at the start of each five minutes. */
import { CTA_EVENTS } from '#contract/cta.ts';
import { type Database, rowsAs } from '../database/database.ts';
import { type Clock, DAY_MS, dayOf, MINUTE_MS } from '../time.ts';

/** Number of days (UTC) in `per_day`, with today. */
const STATS_DAYS = 30;
/**
 * How long the counts stay the same. With live counts, somebody who sees a person's network traffic
 * could find out by polling whether that person has pressed a button.
 */
const PERIOD_MS = 5 * MINUTE_MS;
/**
 * A smaller number of registrations is not shown. SMA is rare: from a small number, somebody who
 * knows a family could guess whether it has registered.
 */
const MIN_SHOWN_REGISTRATIONS = 100;
/**
 * Counts are rounded down to multiples of this. From an exact number of registrations, a stranger
 * could find out whether an address is registered, by registering it. From exact numbers of clicks
 * and a clinic's own report, a reader could compute the clicks of all other clinics. With two
 * clinics, those are the other one's clicks, which its report hides below 11.
 */
const ROUNDING_STEP = 10;

const READ_COUNTS = `
  SELECT day, event, SUM(n) AS n
  FROM click_counts
  WHERE NOT is_bot
  GROUP BY day, event`;
const COUNT_REGISTERED_BEFORE = `
  SELECT COUNT(*) AS n
  FROM registrations
  WHERE registered_at < $1`;

interface CountRow {
  day: string;
  event: string;
  n: number;
}

export type Stats = ReturnType<typeof createStats>;

export function createStats({ db, now = Date.now }: { db: Database; now?: Clock | undefined }) {
  /** The counts of the latest period, without data about persons. */
  let published: { period: number; stats: object } | null = null;

  return {
    /**
     * Returns the counts at the start of the current period. The first call in a period reads them.
     *
     * @throws (rejects with) a DatabaseFault
     */
    async read(): Promise<object> {
      const at = now();
      const period = Math.floor(at / PERIOD_MS);
      if (published?.period === period) return published.stats;
      const rows = rowsAs<CountRow>(await db.read(READ_COUNTS));
      const [registered] = await db.read(COUNT_REGISTERED_BEFORE, [at - (at % DAY_MS)]);
      const n = Number(registered?.n);
      const total = n < MIN_SHOWN_REGISTRATIONS ? null : roundDown(n);
      published = { period, stats: { clicks: makeClickStats(rows, at), registrations: { total } } };
      return published.stats;
    },
  };
}

/**
 * Makes the counts of clicks: totals, and `per_day` in UTC, the oldest day first and today last.
 */
function makeClickStats(rows: readonly CountRow[], now: number) {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const perDay = Array.from({ length: STATS_DAYS }, (_, i) => {
    const day = dayOf(now - (STATS_DAYS - 1 - i) * DAY_MS);
    return { day, ...sumByEvent(byDay.get(day) ?? []) };
  });
  return { ...sumByEvent(rows), per_day: perDay };
}

const roundDown = (n: number) => n - (n % ROUNDING_STEP);

/**
 * Sums clicks by event and in total. Events that are no longer a call to action count in the total.
 * Each sum is rounded separately: a sum of rounded numbers, or its difference to a total, would
 * reveal more.
 */
function sumByEvent(rows: readonly CountRow[]) {
  const sumOf = (some: readonly CountRow[]) => roundDown(some.reduce((sum, { n }) => sum + n, 0));
  const sums = CTA_EVENTS.map((name) => [name, sumOf(rows.filter(({ event }) => event === name))]);
  return { total: sumOf(rows), by_event: Object.fromEntries(sums) };
}
