/** Copies a SQLite database to a single file, for backups. */
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { connectSqlite } from './sqlite-file.ts';

/**
 * Copies a snapshot of a database, while others may write to it: in WAL mode, writers do not wait
 * for a reader. Only the user of this process can read the copy.
 *
 * @param file path of the database
 * @param to path of the copy. An existing file is overwritten
 * @throws the error of SQLite or of the disk. Part of the copy may exist then
 */
export function copyDatabase(file: string, to: string): void {
  using source = connectSqlite(file).db;
  copyOpenDatabase(source, to);
}

/** Copies the database of an open connection, even if its files have been deleted. */
export function copyOpenDatabase(source: DatabaseSync, to: string): void {
  // VACUUM INTO accepts an empty file. It would itself create a file that other users can read.
  writeFileSync(to, '', { mode: 0o600 });
  source.prepare('VACUUM INTO ?').run(to);
  using copy = new DatabaseSync(to);
  // Clears the running server's number, so that the server does not take the copy for its own file
  // (watch-files.ts).
  copy.exec('PRAGMA application_id = 0');
}
