/** A set of ids in a temporary SQLite file, because the ids may not fit into memory. */
import { DatabaseSync } from 'node:sqlite';

export interface SeenIds {
  /** @returns whether the UUID is new */
  add(id: string): boolean;
  has(id: string): boolean;
}

export function createSeenIds(): SeenIds {
  const db = new DatabaseSync('');
  db.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
     CREATE TABLE seen (id BLOB PRIMARY KEY) WITHOUT ROWID; BEGIN`,
  );
  const insert = db.prepare("INSERT INTO seen VALUES (unhex(?, '-')) ON CONFLICT DO NOTHING");
  const select = db.prepare("SELECT 1 FROM seen WHERE id = unhex(?, '-')");
  return {
    add: (id) => insert.run(id).changes === 1,
    has: (id) => select.get(id) !== undefined,
  };
}
