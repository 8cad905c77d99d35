/** Databases for tests: the two kinds on which suites run, and a server's settings for them. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { inject, onTestFinished } from 'vitest';
import type { Settings } from '../../../server/settings.ts';
import { query, startPostgres } from '../cluster/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of PostgreSQL's database `postgres`; null: PostgreSQL is missing (vitest-setup.ts). */
    postgresUrl: string | null;
  }
}

type Environment = Record<string, string>;

/** Starts a PostgreSQL that only this test uses, so that the test may stop or kill it. */
export async function startOwnPostgres(options?: Parameters<typeof startPostgres>[0]) {
  const postgres = await startPostgres(options);
  onTestFinished(postgres.remove);
  return postgres;
}

/** Returns the settings of a server with PostgreSQL. It needs the keys of registrations as well. */
export const postgresEnv = (url: string): Environment => ({
  DATABASE_URL: url,
  REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
});

/** Creates an empty database in PostgreSQL. @returns the settings of a server with it */
async function makePostgresEnv(): Promise<Environment> {
  const admin = String(inject('postgresUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(admin, `CREATE DATABASE ${name}`);
  return postgresEnv(new URL(`/${name}`, admin).href);
}

/**
 * Both kinds of database, for `describe.each`; only SQLite if PostgreSQL is missing. `makeEnv`
 * returns the settings of a server with an empty database.
 */
export const DATABASES: { name: string; makeEnv: () => Promise<Environment> }[] = [
  { name: 'SQLite', makeEnv: async () => ({}) },
  ...(inject('postgresUrl') === null ? [] : [{ name: 'PostgreSQL', makeEnv: makePostgresEnv }]),
];

/** Runs SQL on a server's database, as another process would. */
export async function execute({ databaseUrls, files }: Settings, sql: string): Promise<void> {
  const [url] = databaseUrls;
  if (url) return void (await query(url.href, `SET search_path TO site; ${sql}`));
  const db = new DatabaseSync(files.database, { timeout: 5000 });
  db.exec(sql);
  db.close();
}
