/** Opens a separate connection for questions about many rows. The server's own connections do not wait for them. */
import type { Value } from './database.ts';

export type Reader = Awaited<ReturnType<typeof readSqlite>>;

/** Rows that PostgreSQL sends at a time. Those of the report have up to thousands of clicks each. */
const SLICE = 200;

/** @param urls of PostgreSQL's servers; none: SQLite @throws (rejects with) the database's error */
export async function openReader(urls: readonly string[], file: string): Promise<Reader> {
  return urls.length > 0 ? readPostgres(urls) : readSqlite(file);
}

async function readSqlite(file: string) {
  const { connect } = await import('./sqlite/sqlite-file.ts');
  const { db, prepare } = connect(file, { readOnly: true });
  return {
    /** Calls `onRow` with the values of each row, in the order of the columns. */
    async each<Row extends unknown[]>(sql: string, values: Value[], onRow: (row: Row) => void) {
      const statement = prepare(sql);
      statement.setReturnArrays(true);
      for (const row of statement.iterate(...(values as (string | number | null)[])))
        onRow(row as never);
    },
    close: async () => db.close(),
  };
}

async function readPostgres(urls: readonly string[]): Promise<Reader> {
  const { connect } = await import('./postgres/postgres.ts');
  const client = await connect(urls, {});
  return {
    async each(sql, values, onRow) {
      await client.query('BEGIN READ ONLY');
      await client.query(`DECLARE report CURSOR FOR ${sql}`, values);
      for (;;) {
        const text = `FETCH ${SLICE} FROM report`;
        const { rows } = await client.query({ text, rowMode: 'array' });
        for (const row of rows) onRow(row as never);
        if (rows.length < SLICE) break;
      }
      await client.query('COMMIT');
    },
    close: () => client.end(),
  };
}
