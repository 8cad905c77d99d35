/** The counters of all servers together, read at most once per FRESH_MS, however many visitors ask. */
import type { Pool } from 'pg';
import type { ClickCounts } from '../click-index.ts';

/** Upper bound for the age of an answer. */
const FRESH_MS = 5000;

/** @returns a function that returns the last known counts while the database does not answer */
export function createCountReader(pool: Pool): () => Promise<ClickCounts> {
  let known: { counts: ClickCounts; atMs: number } | null = null;
  let reading: Promise<ClickCounts> | null = null;

  const read = async () => {
    try {
      const counts = await readCounts(pool);
      known = { counts, atMs: Date.now() };
      return counts;
    } catch (cause) {
      if (known) return known.counts;
      throw cause;
    } finally {
      reading = null;
    }
  };

  return async () => {
    if (known && Date.now() - known.atMs < FRESH_MS) return known.counts;
    reading ??= read();
    return reading;
  };
}

async function readCounts(pool: Pool): Promise<ClickCounts> {
  const { rows } = await pool.query(
    'SELECT day, event, sum(count) AS n FROM clicks_per_day WHERE NOT is_bot GROUP BY day, event',
  );
  const total = new Map<string, number>();
  const perDay = new Map<string, Map<string, number>>();
  for (const { day, event, n } of rows as { day: string; event: string; n: string }[]) {
    const ofDay = perDay.get(day) ?? new Map<string, number>();
    perDay.set(day, ofDay);
    ofDay.set(event, Number(n));
    total.set(event, (total.get(event) ?? 0) + Number(n));
  }
  return { total, perDay };
}
