/** Applies SQL files once each, in the order of their names, by one server at a time. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';

const FOLDER = join(import.meta.dirname, './migrations/registrations-postgres');
/** Number of the advisory lock with which starting servers wait for each other. */
const LOCK = 0x5b1c_1101;

/** @throws when a newer version of this program has written the database */
export async function migratePostgres(client: Client): Promise<void> {
  const steps = readdirSync(FOLDER)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  if ((await readVersion(client)) === steps.length) return;
  await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
  try {
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL)');
    const done = await readVersion(client);
    if (done > steps.length) {
      throw new Error(
        `The database was written by a newer version (schema ${done}, this one knows ${steps.length}).`,
      );
    }
    for (const [i, name] of steps.entries()) if (i >= done) await apply(client, name, i + 1);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
  }
}

async function readVersion(client: Client): Promise<number> {
  const { rows } = await client.query("SELECT to_regclass('schema_version') AS there");
  if (rows[0]?.there === null) return 0;
  const version = await client.query('SELECT version FROM schema_version');
  return version.rows[0]?.version ?? 0;
}

/** Applies and records a file in one transaction. */
async function apply(client: Client, name: string, version: number): Promise<void> {
  const step = readFileSync(join(FOLDER, name), 'utf8');
  try {
    await client.query(
      `BEGIN; ${step}; DELETE FROM schema_version; INSERT INTO schema_version VALUES (${version}); COMMIT`,
    );
  } catch (cause) {
    await client.query('ROLLBACK');
    throw cause;
  }
}
