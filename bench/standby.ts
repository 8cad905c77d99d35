/**
 * Measures what two idle servers do after PostgreSQL's synchronous standby has died. Prints every
 * 10 s how many connections to the primary they have (PostgreSQL allows 40), whether another client
 * can connect, and the answers of /readyz. Then restarts the standby, and prints the time until
 * both are ready.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  query,
  STANDBY,
  setSynchronous,
  startPostgres,
} from '../tests/helpers/cluster/postgres.ts';
import { printTable } from './load.ts';
import { startBenchServer } from './server.ts';

/** REGISTRATION_KEYS for a server with PostgreSQL. */
const KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;
const EVERY_S = 10;
/** Returns the SQL that counts a database's connections, and those that wait for the standby. */
const countIn = (database: string) => `
SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE wait_event = 'SyncRep') AS waiting
FROM pg_stat_activity
WHERE datname = '${database}'`;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '90' } } });
  const primary = await startPostgres({ settings: ['max_connections=40'] });
  const standby = await startPostgres({ primary, settings: ['max_connections=40'] });
  const database = await primary.createDatabase();
  const name = new URL(database).pathname.slice(1);
  await setSynchronous(primary, STANDBY);
  const env = {
    DATABASE_URL: [database, standby.url(name)].join(),
    REGISTRATION_KEYS: KEYS,
  };
  const servers = await Promise.all([startBenchServer({ env }), startBenchServer({ env })]);
  await standby.kill();
  const rows: (string | number)[][] = [];
  for (let s = 0; s <= Number(values.seconds); s += EVERY_S) {
    const found = await query(primary.url('postgres'), countIn(name)).catch(() => null);
    const ready = await Promise.all(servers.map(({ url }) => fetch(`${url}/readyz`)));
    const { n = '?', waiting = '?' } = found?.[0] ?? {};
    const answers = ready.map(({ status }) => status).join(', ');
    rows.push([s, String(n), String(waiting), found ? 'yes' : 'no', answers]);
    await wait(EVERY_S * 1000);
  }
  const begin = performance.now();
  await standby.restart();
  const isReady = async () =>
    (await Promise.all(servers.map(({ url }) => fetch(`${url}/readyz`)))).every(({ ok }) => ok);
  while (!(await isReady())) await wait(100);
  printTable(
    [
      's after the standby has died',
      'connections',
      'of them waiting',
      'a person can connect',
      '/readyz',
    ],
    rows,
  );
  process.stdout.write(
    `Both ready ${((performance.now() - begin) / 1000).toFixed(1)} s after the standby's start began\n`,
  );
  await standby.remove();
  await primary.remove();
}
