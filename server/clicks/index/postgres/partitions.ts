/** The monthly partitions of the click index: made ahead, and dropped whole after their retention. */
import type { Client } from 'pg';

/** Number of the advisory lock with which servers wait for each other. */
const LOCK = 0x5b1c_1102;
/** In addition to the present month. The server checks every hour. */
const MONTHS_AHEAD = 2;

/** A month as a range of ids: `from` is its first id, `to` the first one after it. */
interface Month {
  table: string;
  from: string;
  to: string;
}

/**
 * @param since the oldest month that must have a partition; the present one, when left out
 */
export async function makePartitions(client: Client, now: Date, since = now): Promise<void> {
  const there = await partitionNames(client);
  for (let i = monthNumber(since); i <= monthNumber(now) + MONTHS_AHEAD; i += 1) {
    const month = monthOf(i);
    if (!there.has(month.table)) await makePartition(client, month);
  }
}

/**
 * Drops all months before the last `keep` whole ones. Their counters stay.
 *
 * @returns the names of the tables that were dropped
 */
export async function dropPartitions(client: Client, now: Date, keep: number): Promise<string[]> {
  const first = monthOf(monthNumber(now) - keep);
  const old = [...(await partitionNames(client))].filter(
    (name) => /^clicks_\d{4}_\d\d$/.test(name) && name < first.table,
  );
  if (old.length === 0) return old;
  await inTransaction(client, async () => {
    await client.query(
      `INSERT INTO clicks_forgotten (before) VALUES ($1)
       ON CONFLICT (one) DO UPDATE SET before = greatest(clicks_forgotten.before, excluded.before)`,
      [first.from],
    );
    for (const name of old) await client.query(`DROP TABLE IF EXISTS ${name}`);
  });
  return old.sort();
}

async function partitionNames(client: Client): Promise<Set<string>> {
  const { rows } = await client.query(
    "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'clicks'::regclass",
  );
  return new Set(rows.map(({ name }) => String(name)));
}

/** Moves ids of that month from the default partition, where browsers with a fast clock have put them. */
async function makePartition(client: Client, { table, from, to }: Month): Promise<void> {
  await inTransaction(client, async () => {
    const { rows } = await client.query('SELECT to_regclass($1) AS there', [table]);
    if (rows[0]?.there !== null) return;
    await client.query('LOCK TABLE clicks_default IN ACCESS EXCLUSIVE MODE');
    await client.query(`CREATE TABLE ${table} (LIKE clicks INCLUDING ALL)`);
    await client.query(
      `WITH moved AS (DELETE FROM clicks_default WHERE id >= '${from}' AND id < '${to}' RETURNING id)
       INSERT INTO ${table} SELECT id FROM moved`,
    );
    await client.query(
      `ALTER TABLE clicks ATTACH PARTITION ${table} FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
  });
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query("BEGIN; SET LOCAL lock_timeout = '2s'");
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await work();
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK');
    throw cause;
  }
}

const monthNumber = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();

function monthOf(number: number): Month {
  const year = Math.floor(number / 12);
  const month = number - year * 12;
  return {
    table: `clicks_${year}_${String(month + 1).padStart(2, '0')}`,
    from: firstId(Date.UTC(year, month)),
    to: firstId(Date.UTC(year, month + 1)),
  };
}

/** The least UUID that begins with this time, in milliseconds since 1970. */
function firstId(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
