/** The two databases of the suites that run on both, and their settings. */
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { inject } from 'vitest';
import type { Settings } from '../../../server/settings.ts';
import { query } from '../cluster/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** PostgreSQL's database `postgres`; null: PostgreSQL is missing (start-postgres.ts). */
    postgresUrl: string | null;
  }
}

type Environment = Record<string, string>;

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

/** Ends a server's connections to PostgreSQL, and allows no new ones. @returns a function that allows them again */
export async function stopDatabase({
  DATABASE_URL = '',
}: Environment): Promise<() => Promise<void>> {
  const admin = String(inject('postgresUrl'));
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const allow = async (isAllowed: boolean) =>
    void (await query(admin, `ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS ${isAllowed}`));
  await allow(false);
  const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
  await query(admin, ended);
  return () => allow(true);
}
