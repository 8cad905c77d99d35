/**
 * Registrations on node:sqlite, in a file of their own, whose deleted rows are overwritten. Each is on the disk before the answer.
 */
import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../../database/migrate-sqlite.ts';
import type { MailState, RegistrationRow, RegistrationStore } from './registration-store.ts';
import { createSqliteOutbox, type Row, readRow } from './sqlite-outbox.ts';

/** Time to wait for the lock, which an operator's command may hold for a moment. */
const LOCK_TIMEOUT_MS = 2000;
const PAGE = 500;

/** @throws when the file cannot be opened, or is from a newer version */
export function openSqliteRegistrations(path: string): RegistrationStore {
  const db = openPrivately(path);
  const transaction = <T>(work: () => T): T => {
    db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      db.exec('COMMIT');
      return result;
    } catch (cause) {
      // SQLite has already rolled back the transaction when the disk is full.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw cause;
    }
  };
  // Writes the row of a known address unchanged, so that the disk does the same work as for a new one.
  const insert = db.prepare(
    `INSERT INTO registrations (id, created_at, lookup, key_id, sealed) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (lookup) DO UPDATE SET lookup = excluded.lookup RETURNING id`,
  );
  const touch = db.prepare('UPDATE registrations SET lookup = lookup WHERE lookup = ?');
  const queueMail = db.prepare('INSERT INTO mails (id, next_at) VALUES (?, ?)');
  const selectPage = db.prepare(
    `SELECT r.*, m.attempts, m.refusal, m.id IS NOT NULL AS has_mail
     FROM registrations r LEFT JOIN mails m USING (id) WHERE r.id > ? ORDER BY r.id LIMIT ?`,
  );
  const count = db.prepare('SELECT count(*) AS n FROM registrations WHERE created_at < ?');
  const newest = db.prepare('SELECT max(created_at) AS at FROM registrations');
  const keyIds = db.prepare('SELECT DISTINCT key_id FROM registrations');
  const removeOne = db.prepare('DELETE FROM registrations WHERE lookup = ? RETURNING id');
  const removeOld = db.prepare('DELETE FROM registrations WHERE created_at < ? RETURNING id');
  /** Empties the journal, so that it has no deleted rows. */
  const forget = (removed: Row[]) => {
    if (removed.length > 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return removed.map((row) => String(row.id));
  };

  return {
    async add(row, otherEmailHashes, mailDueAt = row.createdAt) {
      return transaction(() => {
        if (otherEmailHashes.some((hash) => touch.run(hash).changes === 1)) return false;
        const kept = insert.get(...valuesOf(row));
        if (kept?.id !== row.id) return false;
        queueMail.run(row.id, mailDueAt.toISOString());
        return true;
      });
    },
    async list(after, limit) {
      const rows = selectPage.all(after ?? '', limit);
      return rows.map((row) => ({ row: readRow(row), mail: readMailState(row) }));
    },
    async countBefore(time) {
      return Number(count.get(time.toISOString())?.n);
    },
    async newestTime() {
      const at = newest.get()?.at;
      return typeof at === 'string' ? new Date(at) : null;
    },
    async keyIds() {
      return keyIds.all().map((row) => String(row.key_id));
    },
    async remove(emailHashes) {
      return forget(transaction(() => emailHashes.flatMap((hash) => removeOne.all(hash))));
    },
    async removeBefore(time) {
      return forget(transaction(() => removeOld.all(time.toISOString())));
    },
    async convertAll(convert) {
      const changed = transaction(() => convertRows(db, convert));
      if (changed > 0) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return changed;
    },
    ...createSqliteOutbox(db, transaction),
    async close() {
      db.close();
    },
  };
}

/** Opens the file so that only this user can read it, and deletions overwrite their data. */
function openPrivately(path: string): DatabaseSync {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
  migrate(db, 'registrations');
  return db;
}

function convertRows(
  db: DatabaseSync,
  convert: (row: RegistrationRow) => RegistrationRow | null,
): number {
  const page = db.prepare('SELECT * FROM registrations WHERE id > ? ORDER BY id LIMIT ?');
  const twin = db.prepare('SELECT id FROM registrations WHERE lookup = ? AND id <> ?');
  const remove = db.prepare('DELETE FROM registrations WHERE id = ?');
  const update = db.prepare(
    'UPDATE registrations SET lookup = ?, key_id = ?, sealed = ? WHERE id = ?',
  );
  let changed = 0;
  let after = '';
  for (let rows = page.all(after, PAGE); rows.length > 0; rows = page.all(after, PAGE)) {
    for (const row of rows.map(readRow)) {
      after = row.id;
      const next = convert(row);
      if (!next) continue;
      changed += 1;
      const other = twin.get(next.emailHash, row.id)?.id;
      if (other !== undefined) remove.run(String(other) > row.id ? other : row.id);
      update.run(next.emailHash, next.keyId, next.encrypted, row.id);
    }
  }
  return changed;
}

const valuesOf = ({ id, createdAt, emailHash, keyId, encrypted }: RegistrationRow) =>
  [id, createdAt.toISOString(), emailHash, keyId, encrypted] as const;

function readMailState(row: Row): MailState {
  if (!row.has_mail) return { state: 'sent' };
  if (row.refusal !== null) return { state: 'refused', reason: String(row.refusal) };
  return { state: 'waiting', attempts: Number(row.attempts) };
}
