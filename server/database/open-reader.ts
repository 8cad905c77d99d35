/**
 * Opens a separate, read-only connection for queries over many rows, so that the server's own
 * connections never wait for them.
 */
import type { Database, Value } from './database.ts';

export interface Reader {
  readonly kind: Database['kind'];
  /** Starts a snapshot: all later queries see the rows of this moment, so that their sums agree. */
  freeze(): Promise<void>;
  /**
   * Returns all rows of a result. Use it only for results with a limit. A row is a list of its
   * values, in the order of the columns.
   */
  all<Row extends unknown[]>(sql: string, values: Value[]): Promise<Row[]>;
  /**
   * Streams a result: calls `onRow` with each row, which is a list of values in the order of the
   * columns.
   */
  each<Row extends unknown[]>(
    sql: string,
    values: Value[],
    onRow: (row: Row) => void,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Rows that one FETCH gets from PostgreSQL's cursor. */
const FETCHED_ROWS = 200;

/**
 * How much of SQLite's file a reader maps into memory, in bytes: SQLite's own upper limit. A mapped
 * page is not copied.
 */
const MAPPED_BYTES = 2 ** 31 - 65_536;

/**
 * Opens a reader.
 *
 * @param urls of PostgreSQL's servers; empty: SQLite
 * @param file path of SQLite's file
 * @throws (rejects with) the database's error
 */
export async function openReader(urls: readonly string[], file: string): Promise<Reader> {
  return urls.length > 0 ? readPostgres(urls) : readSqlite(file);
}

async function readSqlite(file: string): Promise<Reader> {
  const { connectSqlite } = await import('./sqlite/sqlite-file.ts');
  const { db, prepare } = connectSqlite(file, { readOnly: true });
  db.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
  const iterate = (sql: string, values: Value[]) => {
    const statement = prepare(sql);
    statement.setReturnArrays(true);
    return statement.iterate(...(values as (string | number | null)[]));
  };
  return {
    kind: 'sqlite',
    freeze: async () => db.exec('BEGIN'),
    all: async (sql, values) => [...iterate(sql, values)] as never,
    async each(sql, values, onRow) {
      for (const row of iterate(sql, values)) onRow(row as never);
    },
    close: async () => db.close(),
  };
}

async function readPostgres(urls: readonly string[]): Promise<Reader> {
  const { createConnect } = await import('./postgres/connect.ts');
  const { client } = await createConnect(urls)({});
  let isFrozen = false;
  return {
    kind: 'postgres',
    async freeze() {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      isFrozen = true;
    },
    all: async (text, values) =>
      (await client.query({ text, values, rowMode: 'array' })).rows as never,
    async each(sql, values, onRow) {
      if (!isFrozen) await client.query('BEGIN READ ONLY');
      await client.query(`DECLARE report CURSOR FOR ${sql}`, values);
      for (;;) {
        const text = `FETCH ${FETCHED_ROWS} FROM report`;
        const { rows } = await client.query({ text, rowMode: 'array' });
        for (const row of rows) onRow(row as never);
        if (rows.length < FETCHED_ROWS) break;
      }
      await client.query(isFrozen ? 'CLOSE report' : 'COMMIT');
    },
    close: () => client.end(),
  };
}
