/** Reads all of a click index, next to a running server, without a lock that the server could wait for. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

export interface IndexReader {
  /** For people. */
  name: string;
  /** @returns those of the UUIDs that the index lacks */
  missing(ids: readonly string[]): Promise<string[]>;
  /** Yields all ids, page by page. */
  ids(): AsyncIterable<string[]>;
  /** @returns counts by `2026-01-31 hero_cta_click person` or `… robot` */
  counts(): Promise<Map<string, number>>;
  /** Ids below this one may have been dropped; null: none were. */
  forgottenBefore(): Promise<string | null>;
  /** Ids of the ledgers in a shared index; null: it has one ledger. */
  ledgers(): Promise<string[] | null>;
  close(): Promise<void>;
}

const PAGE = 5000;

export const countKey = (day: string, event: string, isBot: boolean): string =>
  `${day} ${event} ${isBot ? 'robot' : 'person'}`;

/**
 * @param file of the SQLite index
 * @param databaseUrl of a shared index; null: the file
 * @returns null if there is no index yet
 * @throws an Error that says what to do, if the database cannot be read
 */
export async function openIndexReader({
  file,
  databaseUrl,
}: {
  file: string;
  databaseUrl: URL | null;
}): Promise<IndexReader | null> {
  if (databaseUrl) {
    const { readPostgresIndex } = await import('./postgres/read-postgres-index.ts');
    return readPostgresIndex(databaseUrl);
  }
  return existsSync(file) ? readSqliteIndex(file) : null;
}

function readSqliteIndex(file: string): IndexReader {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 2000 });
  const has = db.prepare("SELECT 1 FROM clicks WHERE id = unhex(?, '-')");
  const page = db.prepare('SELECT id FROM clicks WHERE id > ? ORDER BY id LIMIT ?');
  return {
    name: file,
    async missing(ids) {
      return ids.filter((id) => has.get(id) === undefined);
    },
    async *ids() {
      for (let after = new Uint8Array(); ; ) {
        const rows = page.all(after, PAGE).map(({ id }) => id as Uint8Array);
        yield rows.map(uuidOf);
        const last = rows.at(-1);
        if (!last) return;
        after = Uint8Array.from(last);
      }
    },
    async counts() {
      const rows = db.prepare('SELECT * FROM clicks_per_day').all();
      return new Map(
        rows.map(({ day, event, is_bot, count }) => [
          countKey(String(day), String(event), is_bot === 1),
          Number(count),
        ]),
      );
    },
    forgottenBefore: async () => null,
    ledgers: async () => null,
    close: async () => db.close(),
  };
}

function uuidOf(bytes: Uint8Array): string {
  const digits = Buffer.from(bytes).toString('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
