/**
 * Copies SQLite databases that a server may be writing. VACUUM INTO reads one state of the database and its journal, and
 * does not block the server.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { migrate } from '../server/database/migrate-sqlite.ts';
import { syncPath } from './copy-file.ts';

const LOCK_TIMEOUT_MS = 5000;

/** Only this user can read the copy. @throws when it exists already, or the database is damaged */
export function copyDatabase(from: string, to: string): void {
  // SQLite treats an empty file as a new database, and keeps its permissions.
  closeSync(openSync(to, 'wx', 0o600));
  const db = new DatabaseSync(from, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  syncPath(to);
}

/**
 * Copies the click index without its position, because the copied ledger files have new inodes. The server that starts on
 * the copy reads the whole ledger and counts only what the index lacks.
 */
export function copyClickIndex(from: string, to: string): void {
  copyDatabase(from, to);
  const db = new DatabaseSync(to);
  try {
    migrate(db, 'clicks');
    db.exec("UPDATE ledger_position SET file = 'restored', offset = 0, first_id = ''");
  } finally {
    db.close();
  }
  syncPath(to);
}

/** @returns the number of registrations in the file, and the ids of the keys that decrypt them */
export function describeRegistrations(path: string): { count: number; key_ids: string[] } {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const count = Number(db.prepare('SELECT count(*) AS n FROM registrations').get()?.n);
    const rows = db.prepare('SELECT DISTINCT key_id FROM registrations ORDER BY key_id').all();
    return { count, key_ids: rows.map((row) => String(row.key_id)) };
  } finally {
    db.close();
  }
}
