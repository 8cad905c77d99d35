/** A set of ids in a temporary SQLite file, because the ids may not fit into memory. */
import { DatabaseSync } from 'node:sqlite';

export interface SeenIds {
  /**
   * @param ledger a number for the ledger that it is in
   * @returns whether the UUID is new
   */
  add(id: string, ledger?: number): boolean;
  has(id: string): boolean;
  /** @returns the ledger that the UUID was first seen in; undefined: it was not seen */
  ledgerOf(id: string): number | undefined;
}

export function createSeenIds(): SeenIds {
  const db = new DatabaseSync('');
  db.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
     CREATE TABLE seen (id BLOB PRIMARY KEY, ledger INTEGER) WITHOUT ROWID; BEGIN`,
  );
  const insert = db.prepare("INSERT INTO seen VALUES (unhex(?, '-'), ?) ON CONFLICT DO NOTHING");
  const select = db.prepare("SELECT ledger FROM seen WHERE id = unhex(?, '-')");
  return {
    add: (id, ledger = 0) => insert.run(id, ledger).changes === 1,
    has: (id) => select.get(id) !== undefined,
    ledgerOf: (id) => select.get(id)?.ledger as number | undefined,
  };
}
