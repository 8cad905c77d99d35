/** Copies a database to one file. */
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { connect } from './sqlite-file.ts';

/**
 * Copies one moment of the database, also while others write: in WAL mode, writers do not wait for
 * a reader. Only the user of this process can read the copy.
 *
 * @param file of the database
 * @param to a file that is not there yet, or may be overwritten
 * @throws the error of SQLite or of the disk. A part of the copy may then be there
 */
export function copyDatabase(file: string, to: string): void {
  using source = connect(file).db;
  copyTo(source, to);
}

/** Does the same with a connection, also if its files are deleted. */
export function copyTo(source: DatabaseSync, to: string): void {
  // VACUUM INTO takes an empty file, and would make one that others can read.
  writeFileSync(to, '', { mode: 0o600 });
  source.prepare('VACUUM INTO ?').run(to);
  using copy = new DatabaseSync(to);
  // The number of the running server, which knows its file by it (watch-files.ts).
  copy.exec('PRAGMA application_id = 0');
}
