/**
 * Opens a separate connection for questions about many rows. The server's own connections do not
 * wait for them.
 */
import type { Database, Value } from './database.ts';

export interface Reader {
  readonly kind: Database['kind'];
  /** Makes all later questions see the rows of this moment, so that their sums agree. */
  freeze(): Promise<void>;
  /**
   * Returns all rows of a result at once, so it is for results with a limit. A row is a list of its
   * values, in the order of the columns.
   */
  all<Row extends unknown[]>(sql: string, values: Value[]): Promise<Row[]>;
  /** Calls `onRow` with the values of each row, in the order of the columns. */
  each<Row extends unknown[]>(
    sql: string,
    values: Value[],
    onRow: (row: Row) => void,
  ): Promise<void>;
  close(): Promise<void>;
}

/** Rows that PostgreSQL sends at a time. */
const SLICE = 200;

/**
 * Bytes of SQLite's file that a reader maps into memory, which saves a copy of each page. SQLite's
 * own limit.
 */
const MAPPED_BYTES = 2 ** 31 - 65_536;

/** @param urls of PostgreSQL's servers; none: SQLite @throws (rejects with) the database's error */
export async function openReader(urls: readonly string[], file: string): Promise<Reader> {
  return urls.length > 0 ? readPostgres(urls) : readSqlite(file);
}

async function readSqlite(file: string): Promise<Reader> {
  const { connect } = await import('./sqlite/sqlite-file.ts');
  const { db, prepare } = connect(file, { readOnly: true });
  db.exec(`PRAGMA mmap_size = ${MAPPED_BYTES}`);
  const ask = (sql: string, values: Value[]) => {
    const statement = prepare(sql);
    statement.setReturnArrays(true);
    return statement.iterate(...(values as (string | number | null)[]));
  };
  return {
    kind: 'sqlite',
    freeze: async () => db.exec('BEGIN'),
    all: async (sql, values) => [...ask(sql, values)] as never,
    async each(sql, values, onRow) {
      for (const row of ask(sql, values)) onRow(row as never);
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
        const text = `FETCH ${SLICE} FROM report`;
        const { rows } = await client.query({ text, rowMode: 'array' });
        for (const row of rows) onRow(row as never);
        if (rows.length < SLICE) break;
      }
      await client.query(isFrozen ? 'CLOSE report' : 'COMMIT');
    },
    close: () => client.end(),
  };
}
