/** The two databases of the suites that run on both, and their settings. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { inject, onTestFinished } from 'vitest';
import type { Settings } from '../../../server/settings.ts';
import { query, startPostgres } from '../cluster/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL's database `postgres`; null: PostgreSQL is missing (vitest-setup.ts). */
    postgresUrl: string | null;
  }
}

type Environment = Record<string, string>;

/** Starts a PostgreSQL for the test alone, which may end it. */
export async function ownPostgres(options?: Parameters<typeof startPostgres>[0]) {
  const postgres = await startPostgres(options);
  onTestFinished(postgres.remove);
  return postgres;
}

/** Settings of a server with PostgreSQL, whose keys are not in the data folder. */
export const postgresEnv = (url: string): Environment => ({
  DATABASE_URL: url,
  REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
});

/** Makes an empty database. @returns the settings of a server with it */
async function makePostgresEnv(): Promise<Environment> {
  const admin = String(inject('postgresUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(admin, `CREATE DATABASE ${name}`);
  return postgresEnv(new URL(`/${name}`, admin).href);
}

/** For `describe.each`. SQLite's database is in the data folder. */
export const DATABASES: { name: string; makeEnv: () => Promise<Environment> }[] = [
  { name: 'SQLite', makeEnv: async () => ({}) },
  ...(inject('postgresUrl') === null ? [] : [{ name: 'PostgreSQL', makeEnv: makePostgresEnv }]),
];

/** Changes a server's database, as another process does. */
export async function execute({ databaseUrls, files }: Settings, sql: string): Promise<void> {
  const [url] = databaseUrls;
  if (url) return void (await query(url.href, `SET search_path TO site; ${sql}`));
  const db = new DatabaseSync(files.database, { timeout: 5000 });
  db.exec(sql);
  db.close();
}
