/** The drill for a lost machine: a backup of a running cluster, then new disks, a new PostgreSQL, and the README's restore. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { startCluster } from '../helpers/cluster/cluster.ts';
import { findPostgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeLoad, sendClick, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer, storedIds } from '../helpers/server/server-process.ts';

const PEOPLE = ['ada@site.example', 'ben@site.example', 'cleo@site.example'];

function register(url: string, email: string): Promise<number | undefined> {
  const body = JSON.stringify({ firstName: 'Ada', lastName: 'Byron', email, agreedToTerms: true });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/register`, {
      method: 'POST',
      headers,
      rejectUnauthorized: false,
    });
    sent.on('response', (answer) => resolve(answer.resume().statusCode));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Runs a program of PostgreSQL's client. */
function runClient(program: string, ...args: string[]): void {
  execFileSync(join(findPostgres() ?? '', program), args, {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

test('backup under load, every disk lost, restore: each click and person confirmed before the backup is there', async () => {
  const cluster = await startCluster();
  const folder = mkdtempSync(join(tmpdir(), 'backups-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const load = makeLoad();
  const stop = startLoad(cluster.url, load);
  onTestFinished(stop);
  await untilAcked(load, 1000);
  for (const email of PEOPLE) expect(await register(cluster.url, email)).toBe(201);

  const confirmed = [...load.acked];
  const begin = performance.now();
  const dump = join(folder, 'site.dump');
  runClient('pg_dump', '--format=custom', `--file=${dump}`, cluster.databaseUrl);
  const dataDirs = cluster.ledgers.map(dirname);
  for (const [i, DATA_DIR] of dataDirs.entries()) {
    const env = { ...cluster.env, DATA_DIR };
    expect(await runCli('backup.ts', ['--to', join(folder, `${i}`)], env)).toMatchObject({
      code: 0,
    });
  }
  const backedUp = performance.now();
  await untilAcked(load, 300);
  await stop();

  for (const i of cluster.servers.keys()) await cluster.killServer(i);
  await cluster.postgres.kill();
  for (const dataDir of dataDirs) rmSync(dataDir, { recursive: true });
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());

  const env = { ...cluster.env, DATABASE_URL: await postgres.createDatabase() };
  const restoring = performance.now();
  runClient(
    'pg_restore',
    '--clean',
    '--if-exists',
    '--no-owner',
    `--dbname=${env.DATABASE_URL}`,
    dump,
  );
  for (const [i, DATA_DIR] of dataDirs.entries()) {
    const restored = await runCli('restore.ts', ['--from', join(folder, `${i}`)], {
      ...env,
      DATA_DIR,
    });
    expect(restored).toMatchObject({ code: 0 });
  }
  const servers = await Promise.all(dataDirs.map((dataDir) => startServer({ dataDir, env })));
  const restored = performance.now();

  const ids = new Set((await Promise.all(cluster.ledgers.map(storedIds))).flat());
  expect(confirmed.filter((id) => !ids.has(id))).toEqual([]);
  const [counts] = await query(
    env.DATABASE_URL,
    `SELECT (SELECT sum(count) FROM clicks_per_day)::int AS counted, (SELECT count(*) FROM clicks)::int AS indexed`,
  );
  expect(counts).toEqual({ counted: ids.size, indexed: ids.size });
  const file = join(folder, 'people.csv');
  const exporting = ['export', '--format', 'csv', '--to', file];
  const DATA_DIR = dataDirs[0] ?? '';
  expect(await runCli('registrations.ts', exporting, { ...env, DATA_DIR })).toMatchObject({
    code: 0,
  });
  const people = readFileSync(file, 'utf8');
  for (const email of PEOPLE) expect(people).toContain(email);
  // A browser that sends an old click again, and a new click.
  expect(await sendClick(servers[0]?.url ?? '', confirmed[0] ?? '')).toBe(200);
  expect(await sendClick(servers[1]?.url ?? '', newId())).toBe(200);

  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  process.stdout.write(
    `Backup in ${seconds(backedUp - begin)} s under load, restored in ${seconds(restored - restoring)} s: ` +
      `${confirmed.length} clicks confirmed before, ${ids.size} restored, 0 lost; ${PEOPLE.length} of ${PEOPLE.length} people\n`,
  );
});
