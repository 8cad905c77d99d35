/** Single queries to PostgreSQL over a pool. The first query makes missing tables. */
import type { Pool } from 'pg';
import { connectPatiently, describe, openPool } from './connect-postgres.ts';
import { migratePostgres } from './migrate-postgres.ts';

export type Row = Record<string, unknown>;

export interface PostgresQueries {
  /** @throws (rejects with) an Error that says what to do */
  ask(text: string, values: readonly unknown[]): Promise<Row[]>;
  /** Makes missing tables. Runs until it has succeeded once. */
  prepare(): Promise<void>;
  pool: Pool;
}

/** Opens the pool without a query. A missing database is noticed with the first query. */
export function openPostgresQueries(url: URL): PostgresQueries {
  const pool = openPool(url, () => {});
  const prepare = once(async () => {
    const client = await connectPatiently(url);
    await migratePostgres(client).finally(() => client.end());
  });
  return {
    pool,
    prepare,
    async ask(text, values) {
      try {
        await prepare();
        return (await pool.query<Row>({ text, values: [...values] })).rows;
      } catch (cause) {
        throw describe(cause, url);
      }
    },
  };
}

/** Runs the function until it has succeeded once. */
function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work().catch((cause) => {
      running = null;
      throw cause;
    });
    return running;
  };
}
