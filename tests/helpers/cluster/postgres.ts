/** Starts a PostgreSQL for tests, in a new folder. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from '../server/local-server.ts';
import { endDaemon, findProgram, makeDaemonDir, runAsServant, spawnDaemon } from './daemon.ts';

const DEBIAN = '/usr/lib/postgresql';

/** @returns the program folder of the newest installed version */
export function findPostgres(): string | null {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    : [];
  const initdb = findProgram(...versions.map((version) => join(DEBIAN, version, 'bin/initdb')));
  return initdb && join(initdb, '..');
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** @throws when PostgreSQL is not installed */
export async function startPostgres() {
  const bin = findPostgres();
  if (!bin) throw new Error('PostgreSQL is missing. Run npm run test:install');
  const folder = makeDaemonDir('postgres');
  const data = join(folder.path, 'data');
  runAsServant(join(bin, 'initdb'), [
    ...['-D', data, '-U', 'site', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
  ]);
  const port = await freePort();
  const start = () =>
    spawnDaemon(join(bin, 'postgres'), [
      ...['-D', data, '-p', String(port), '-k', folder.path],
      ...['-c', 'listen_addresses=127.0.0.1', '-c', 'log_min_messages=panic'],
    ]);
  let child = start();
  const url = (database: string) => `postgres://site@127.0.0.1:${port}/${database}`;
  const untilReady = async () => {
    while (!(await answers(url('postgres')))) {
      await wait(50);
      // Its child processes outlive a kill for a moment, and it refuses to start before they end.
      if (child.exitCode !== null) child = start();
    }
  };
  await untilReady();
  let databases = 0;
  return {
    port,
    url,
    /** Creates a database. @returns its URL */
    async createDatabase(): Promise<string> {
      databases += 1;
      await query(url('postgres'), `CREATE DATABASE test_${databases}`);
      return url(`test_${databases}`);
    },
    kill: () => endDaemon(child, 'SIGKILL'),
    /** Ends every connection. */
    stop: () => endDaemon(child, 'SIGINT'),
    async restart() {
      child = start();
      await untilReady();
    },
    async remove() {
      await endDaemon(child, 'SIGKILL');
      folder.remove();
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}

/** @returns the rows */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
