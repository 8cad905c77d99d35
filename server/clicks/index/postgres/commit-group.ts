/**
 * Commits a group of clicks in one transaction with two round trips: one before the ledger is written, one after.
 *
 * Servers with the same id at the same time wait for each other at its row. The first one to commit counts the click.
 */
import type { Client } from 'pg';
import { isRejected } from '../../../database/connect-postgres.ts';
import type { LedgerPosition } from '../../ledger/ledger.ts';
import type { ClickRow } from '../click-index.ts';
import { countRows } from '../count-rows.ts';

/** The connection ended between the commit and its answer. */
export class CommitInDoubt extends Error {
  readonly code = 'commit_in_doubt';
}

/** Begins the transaction. @returns the ledger's position in the database, and whether each row is fresh */
export async function insertIds(client: Client, ledger: string, rows: readonly ClickRow[]) {
  // Sorted, because groups that lock shared ids in the same order cannot deadlock.
  const ids = [...new Set(rows.map(({ id }) => id))].sort();
  const [, place, inserted] = await Promise.all([
    client.query('BEGIN'),
    client.query({ ...SELECT_POSITION, values: [ledger] }),
    client.query({ ...INSERT_IDS, values: [ids] }),
  ]);
  const unseen = new Set(inserted.rows.map(({ id }) => id));
  return {
    position: toPosition(place.rows[0]),
    // Of two equal ids in a group, only the first one is fresh.
    fresh: rows.map(({ id }) => unseen.delete(id)),
  };
}

/** Ends the transaction. @throws CommitInDoubt, or the error that rolled the transaction back */
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
