/**
 * Full lines in PostgreSQL, for SQL over all clicks: the table `click_lines`, partitioned by month, and the view `click_facts` with
 * typed columns (docs/sql-queries.md). A line whose id is there already is left out, unless it is a tombstone.
 */
import type { Client } from 'pg';
import { connectPatiently } from '../../../database/connect-postgres.ts';
import { isUuid } from '../../ledger/first-line.ts';
import { parseTombstone } from '../../ledger/tombstone.ts';
import type { Sink, SinkLine } from './sink.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS click_lines (
    id uuid PRIMARY KEY,
    ledger uuid NOT NULL,
    line jsonb NOT NULL
  ) PARTITION BY RANGE (id);
  CREATE TABLE IF NOT EXISTS click_lines_default PARTITION OF click_lines DEFAULT;
  CREATE OR REPLACE VIEW click_facts AS
  SELECT id, ledger,
    (line->>'received_at')::timestamptz AS received_at,
    line->>'event' AS event,
    line->>'referrer' AS ref,
    (line->>'visit_id')::uuid AS visit,
    line->'campaign'->>'utm_source' AS utm_source,
    line->'campaign'->>'utm_campaign' AS utm_campaign,
    line->>'referring_domain' AS came_from,
    line->>'page_url' AS page,
    (line->>'is_mobile')::boolean AS is_mobile,
    line->>'screen_class' AS screen,
    line->>'via' AS via,
    (line->>'seq')::int AS number_in_visit
  FROM click_lines
  WHERE line->>'is_bot' IS DISTINCT FROM 'true' AND line->>'canary' IS NULL AND NOT line ? 'forgotten_at'`;

/** Numbers of advisory locks with which two sinks wait for each other. */
const LOCK = 0x5b1c_1103;

/** @throws (rejects) an Error that says what to do */
export async function openPostgresSink(url: URL): Promise<Sink> {
  const client = await connectPatiently(url);
  await locked(client, () => client.query(SCHEMA));
  const months = new Set<string>();
  return {
    async write(lines) {
      const clicks = lines.filter(({ id }) => isUuid(id));
      for (const month of new Set(clicks.map(({ id }) => monthOf(id)))) {
        if (months.has(month)) continue;
        await makePartition(client, month);
        months.add(month);
      }
      await insert(client, clicks);
      await forget(client, clicks);
    },
    close: () => client.end(),
  };
}

/** One statement, so that a crash leaves all of them or none. */
async function insert(client: Client, clicks: readonly SinkLine[]): Promise<void> {
  await client.query(
    `INSERT INTO click_lines (id, ledger, line)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[]) ON CONFLICT DO NOTHING`,
    [
      clicks.map(({ id }) => id),
      clicks.map(({ ledgerId }) => ledgerId),
      clicks.map(({ text }) => text),
    ],
  );
}

/** A click that was forgotten arrives again, as a tombstone. */
async function forget(client: Client, clicks: readonly SinkLine[]): Promise<void> {
  const stones = clicks.filter(({ text }) => parseTombstone(text));
  if (stones.length === 0) return;
  await client.query(
    `UPDATE click_lines SET line = stones.line
     FROM unnest($1::uuid[], $2::jsonb[]) AS stones (id, line) WHERE click_lines.id = stones.id`,
    [stones.map(({ id }) => id), stones.map(({ text }) => text)],
  );
}

/** The month of a UUID v7, such as `2026-01`, or '' for a time that a browser's clock has made up. */
function monthOf(id: string): string {
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const isPlausible = time > Date.UTC(2025) && time < Date.now() + 32 * 24 * 60 * 60 * 1000;
  return isPlausible ? new Date(time).toISOString().slice(0, 7) : '';
}

async function makePartition(client: Client, month: string): Promise<void> {
  if (month === '') return;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const [from, to] = [firstId(Date.UTC(year, number - 1)), firstId(Date.UTC(year, number))];
  const table = `click_lines_${month.replace('-', '_')}`;
  await locked(client, () =>
    client.query(
      `CREATE TABLE IF NOT EXISTS ${table} PARTITION OF click_lines FOR VALUES FROM ('${from}') TO ('${to}')`,
    ),
  );
}

/** The least UUID that begins with this time, in milliseconds since 1970. */
function firstId(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

async function locked(client: Client, work: () => Promise<unknown>): Promise<void> {
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await work();
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}
