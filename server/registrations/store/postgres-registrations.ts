/**
 * Registrations on PostgreSQL, shared by several servers. They are on the database's disk before the answer.
 */
import type { Pool, PoolClient } from 'pg';
import { openPostgresQueries, type Row } from '../../database/postgres-queries.ts';
import { createOutbox, readRow } from './postgres-outbox.ts';
import type { MailState, RegistrationRow, RegistrationStore } from './registration-store.ts';

const PAGE = 500;

/** Opens the pool without a query. A missing database is noticed with the first query. */
export function openPostgresRegistrations(url: URL): RegistrationStore {
  const { ask, pool, prepare } = openPostgresQueries(url);
  const forget = async (removed: Row[]) => {
    // VACUUM overwrites deleted rows now. If it fails, autovacuum does it later.
    if (removed.length > 0) await pool.query('VACUUM registrations, mails').catch(() => {});
    return removed.map(({ id }) => String(id));
  };

  return {
    async add(row, otherEmailHashes, mailDueAt = row.createdAt) {
      // Writes the row of a known address unchanged, so that it costs the same as a new one.
      const touched = otherEmailHashes.length > 0 ? await ask(TOUCH, [otherEmailHashes]) : [];
      if (touched.length > 0) return false;
      const [kept] = await ask(ADD, [...valuesOf(row), mailDueAt]);
      return kept?.id === row.id;
    },
    async list(after, limit) {
      const rows = await ask(LIST, [after || FIRST_ID, limit]);
      return rows.map((row) => ({ row: readRow(row), mail: readMailState(row) }));
    },
    async countBefore(time) {
      const [row] = await ask('SELECT count(*) AS n FROM registrations WHERE created_at < $1', [
        time,
      ]);
      return Number(row?.n);
    },
    async newestTime() {
      const [row] = await ask('SELECT max(created_at) AS at FROM registrations', []);
      return (row?.at as Date | null | undefined) ?? null;
    },
    async keyIds() {
      return (await ask('SELECT DISTINCT key_id FROM registrations', [])).map((row) =>
        String(row.key_id),
      );
    },
    async remove(emailHashes) {
      return forget(
        await ask('DELETE FROM registrations WHERE lookup = ANY($1) RETURNING id', [emailHashes]),
      );
    },
    async removeBefore(time) {
      return forget(
        await ask('DELETE FROM registrations WHERE created_at < $1 RETURNING id', [time]),
      );
    },
    async convertAll(convert) {
      await prepare();
      const changed = await inTransaction(pool, (client) => convertRows(client, convert));
      if (changed > 0) await pool.query('VACUUM registrations').catch(() => {});
      return changed;
    },
    ...createOutbox(ask),
    close: () => pool.end(),
  };
}

/** Smaller than every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

const TOUCH = 'UPDATE registrations SET lookup = lookup WHERE lookup = ANY($1) RETURNING id';
const ADD = `
  WITH kept AS (
    INSERT INTO registrations (id, created_at, lookup, key_id, sealed) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (lookup) DO UPDATE SET lookup = excluded.lookup RETURNING id
  ), mail AS (
    INSERT INTO mails (id, next_at) SELECT id, $6 FROM kept WHERE id = $1
  )
  SELECT id FROM kept`;
const LIST = `
  SELECT r.*, m.attempts, m.refusal, m.id IS NOT NULL AS has_mail
  FROM registrations r LEFT JOIN mails m USING (id) WHERE r.id > $1 ORDER BY r.id LIMIT $2`;

async function convertRows(
  client: PoolClient,
  convert: (row: RegistrationRow) => RegistrationRow | null,
): Promise<number> {
  // Others can read meanwhile, but not write.
  await client.query('SET LOCAL statement_timeout = 0; LOCK registrations IN EXCLUSIVE MODE');
  let changed = 0;
  let after = FIRST_ID;
  for (;;) {
    const { rows } = await client.query<Row>(
      'SELECT * FROM registrations WHERE id > $1 ORDER BY id LIMIT $2',
      [after, PAGE],
    );
    if (rows.length === 0) return changed;
    for (const row of rows.map(readRow)) {
      after = row.id;
      const next = convert(row);
      if (!next) continue;
      changed += 1;
      await replaceRow(client, row, next);
    }
  }
}

/** Keeps the older of two rows with the same hash. */
async function replaceRow(client: PoolClient, row: RegistrationRow, next: RegistrationRow) {
  const twin = await client.query<Row>(
    'SELECT id FROM registrations WHERE lookup = $1 AND id <> $2',
    [next.emailHash, row.id],
  );
  const other = twin.rows[0]?.id;
  if (other !== undefined) {
    await client.query('DELETE FROM registrations WHERE id = $1', [
      String(other) > row.id ? other : row.id,
    ]);
  }
  await client.query(
    'UPDATE registrations SET lookup = $1, key_id = $2, sealed = $3 WHERE id = $4',
    [next.emailHash, next.keyId, next.encrypted, row.id],
  );
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => {});
    throw cause;
  } finally {
    client.release();
  }
}

const valuesOf = ({ id, createdAt, emailHash, keyId, encrypted }: RegistrationRow) => [
  id,
  createdAt,
  emailHash,
  keyId,
  encrypted,
];

function readMailState(row: Row): MailState {
  if (!row.has_mail) return { state: 'sent' };
  if (row.refusal !== null) return { state: 'refused', reason: String(row.refusal) };
  return { state: 'waiting', attempts: Number(row.attempts) };
}
