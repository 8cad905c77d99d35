/** The counts of GET /api/stats, read at the start of each five minutes. */
import { CTA_EVENTS } from '#contract/cta.ts';
import type { Database } from '../database/database.ts';
import { type Clock, DAY_MS, dayOf, MINUTE_MS } from '../time.ts';

/** UTC days in `per_day`, today included. */
const STATS_DAYS = 30;
/**
 * With live counts, somebody who sees a person's connection could tell by polling whether that
 * person pressed a button.
 */
const PERIOD_MS = 5 * MINUTE_MS;
/**
 * Lower bound for the shown number of registrations. SMA is rare: from a small number, a person who
 * knows a family could guess whether it has registered.
 */
const MIN_SHOWN_REGISTRATIONS = 100;
/**
 * With a live, exact number of registrations, a stranger could register an address and see whether
 * it was known. With exact numbers of clicks, the page of one clinic would tell the clicks of all
 * others, and with two clinics those of the other one, which its own page hides below 11.
 */
const ROUNDING_STEP = 10;

const READ_COUNTS =
  'SELECT day, event, SUM(n) AS n FROM click_counts WHERE NOT is_bot GROUP BY day, event';
const COUNT_REGISTERED_BEFORE = 'SELECT COUNT(*) AS n FROM registrations WHERE registered_at < $1';

interface CountRow {
  day: string;
  event: string;
  n: number;
}

export type Stats = ReturnType<typeof createStats>;

export function createStats({ db, now = Date.now }: { db: Database; now?: Clock | undefined }) {
  /** Counts, and no data about persons. */
  let published: { period: number; stats: object } | null = null;

  return {
    /**
     * Returns the counts of the period's start, as far as this server has read them by then.
     *
     * @throws (rejects with) a DatabaseFault
     */
    async read(): Promise<object> {
      const at = now();
      const period = Math.floor(at / PERIOD_MS);
      if (published?.period === period) return published.stats;
      const rows = (await db.read(READ_COUNTS)) as never as CountRow[];
      const [registered] = await db.read(COUNT_REGISTERED_BEFORE, [at - (at % DAY_MS)]);
      const n = Number(registered?.n);
      const total = n < MIN_SHOWN_REGISTRATIONS ? null : roundDown(n);
      published = { period, stats: { clicks: makeClickStats(rows, at), registrations: { total } } };
      return published.stats;
    },
  };
}

/** Days are in UTC, the oldest first, today the last. */
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
 * Calls to action that are no longer on the list still count in the total. Each number is rounded
 * by itself, because a sum of rounded numbers, or a difference from it, would tell more.
 */
function sumByEvent(rows: readonly CountRow[]) {
  const sumOf = (some: readonly CountRow[]) => roundDown(some.reduce((sum, { n }) => sum + n, 0));
  const sums = CTA_EVENTS.map((name) => [name, sumOf(rows.filter(({ event }) => event === name))]);
  return { total: sumOf(rows), by_event: Object.fromEntries(sums) };
}
