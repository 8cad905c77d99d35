/** A set of ids in a temporary SQLite file, because the ids may not fit into memory. */
import { DatabaseSync } from 'node:sqlite';

/** @returns a function that returns true when it gets a UUID for the first time */
export function createSeenIds(): (id: string) => boolean {
  const db = new DatabaseSync('');
  db.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
     CREATE TABLE seen (id BLOB PRIMARY KEY) WITHOUT ROWID; BEGIN`,
  );
  const insert = db.prepare("INSERT INTO seen VALUES (unhex(?, '-')) ON CONFLICT DO NOTHING");
  return (id) => insert.run(id).changes === 1;
}
