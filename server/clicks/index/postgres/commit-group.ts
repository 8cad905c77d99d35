/**
 * One group of clicks in one transaction and two journeys to the database: one before the ledger is written, one after.
 *
 * Servers that bring the same id at the same time wait for each other at its row: whoever commits first has counted it.
 */
import type { Client } from 'pg';
import { isRejected } from '../../../database/connect-postgres.ts';
import type { LedgerPosition } from '../../ledger/ledger.ts';
import type { ClickRow } from '../click-index.ts';
import { countRows } from '../count-rows.ts';

/** The connection ended between the commit and the news of it. */
export class CommitInDoubt extends Error {
  readonly code = 'commit_in_doubt';
}

/** Begins the transaction. @returns where the ledger stands in here, and whether each row is fresh */
export async function insertIds(client: Client, ledger: string, rows: readonly ClickRow[]) {
  // Sorted: groups that share ids take them in one order, and never wait for each other in a circle.
  const ids = [...new Set(rows.map(({ id }) => id))].sort();
  const [, place, inserted] = await Promise.all([
    client.query('BEGIN'),
    client.query({ ...SELECT_POSITION, values: [ledger] }),
    client.query({ ...INSERT_IDS, values: [ids] }),
  ]);
  const unseen = new Set(inserted.rows.map(({ id }) => id));
  return {
    position: toPosition(place.rows[0]),
    // The second of two equal ids in a group finds it taken.
    fresh: rows.map(({ id }) => unseen.delete(id)),
  };
}

/** Ends the transaction. @throws CommitInDoubt, or the error for which nothing has happened */
export async function countAndCommit(
  client: Client,
  ledger: string,
  rows: readonly ClickRow[],
  fresh: readonly boolean[],
  { file, offset, first }: LedgerPosition,
): Promise<void> {
  const counts = countRows(rows, fresh);
  const columns = [
    counts.map(({ day }) => day),
    counts.map(({ event }) => event),
    counts.map(({ isBot }) => isBot),
    counts.map(({ n }) => n),
  ];
  const steps = await Promise.allSettled([
    counts.length > 0 && client.query({ ...ADD_COUNTS, values: [ledger, ...columns] }),
    first !== '' && client.query({ ...SET_POSITION, values: [ledger, file, offset, first] }),
    client.query('COMMIT'),
  ]);
  const failed = steps.find((step) => step.status === 'rejected');
  if (!failed) return;
  if (steps.some((step) => step.status === 'rejected' && isRejected(step.reason)))
    throw failed.reason;
  throw new CommitInDoubt('The connection to PostgreSQL ended during a commit', {
    cause: failed.reason,
  });
}

export async function readPosition(client: Client, ledger: string): Promise<LedgerPosition | null> {
  const { rows } = await client.query(
    'SELECT file, "offset", first_id FROM ledger_positions WHERE ledger = $1',
    [ledger],
  );
  return toPosition(rows[0]);
}

function toPosition(
  row: { file: string; offset: string; first_id: string } | undefined,
): LedgerPosition | null {
  return row ? { file: row.file, offset: Number(row.offset), first: row.first_id } : null;
}

const SELECT_POSITION = {
  name: 'select-position',
  text: 'SELECT file, "offset", first_id FROM ledger_positions WHERE ledger = $1 FOR UPDATE',
};
const INSERT_IDS = {
  name: 'insert-ids',
  text: 'INSERT INTO clicks (id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING RETURNING id',
};
const ADD_COUNTS = {
  name: 'add-counts',
  text: `INSERT INTO clicks_per_day (ledger, day, event, is_bot, count)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::boolean[], $5::bigint[])
    ON CONFLICT (day, event, is_bot, ledger)
    DO UPDATE SET count = clicks_per_day.count + excluded.count`,
};
const SET_POSITION = {
  name: 'set-position',
  text: `INSERT INTO ledger_positions (ledger, file, "offset", first_id) VALUES ($1, $2, $3, $4)
    ON CONFLICT (ledger) DO UPDATE
    SET file = excluded.file, "offset" = excluded."offset", first_id = excluded.first_id`,
};
