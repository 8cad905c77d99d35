/**
 * The files of deploy/ in use: servers, PostgreSQL and Caddy that end under load, the alerts of
 * Prometheus, and the unit of systemd.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { query } from '../helpers/cluster/postgres.ts';
import { findPostgres, findProgram } from '../helpers/run/find-programs.ts';
import { startCaddy } from '../helpers/server/caddy.ts';
import { postgresEnv, startOwnPostgres } from '../helpers/server/databases.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

/**
 * Runs the script of PostgreSQL's container, and checks the role that it makes for the servers.
 *
 * @returns the URL of the database with that role
 */
async function makeRole(postgres: Awaited<ReturnType<typeof startOwnPostgres>>): Promise<string> {
  const env = { PGHOST: '127.0.0.1', PGPORT: String(postgres.port), POSTGRES_PASSWORD: "it's" };
  const PATH = `${findPostgres()}:${process.env.PATH}`;
  execFileSync('sh', ['deploy/docker/make-role.sh'], { env: { ...env, PATH } });
  const roles = `SELECT rolname, rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication AS may_more,
    rolpassword IS NOT NULL AS has_password FROM pg_authid WHERE rolcanlogin ORDER BY rolname`;
  expect(await query(postgres.url('postgres'), roles)).toEqual([
    { rolname: 'postgres', may_more: true, has_password: false },
    { rolname: 'site', may_more: false, has_password: true },
  ]);
  const databaseUrl = postgres.url('site', 'site');
  await expect(query(databaseUrl, "COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toThrow(
    'an external program',
  );
  return databaseUrl;
}

test('one server after the other is killed, and PostgreSQL ends, under load: the page stays up, and no click is lost or counted twice', async () => {
  const postgres = await startOwnPostgres({ superuser: 'postgres' });
  const databaseUrl = await makeRole(postgres);
  const env = { ...postgresEnv(databaseUrl), TRUST_PROXY: 'loopback' };
  const servers = [await startServer({ env }), await startServer({ env })];
  const caddy = await startCaddy(servers.map(({ port }) => port));
  const { load, stop } = startLoad(caddy.url);
  onTestFinished(stop);
  for (const { dataDir, port, stop: end } of servers) {
    await untilAcked(load, 300);
    await end('SIGKILL');
    await untilAcked(load, 300);
    await startServer({ env, dataDir, port });
  }
  await untilAcked(load, 300);
  await postgres.stop();
  await untilAnswered(load, 503, 50);
  expect((await fetch(caddy.url)).status).toBe(200);
  // Caddy logs this request. At the end of the test, startCaddy checks that the log does not name
  // the visitor.
  const click = {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0', 'content-type': 'application/json' },
    body: JSON.stringify(makeBody()),
  };
  expect((await fetch(`${caddy.url}/api/log-cta?of=clinic-7`, click)).status).toBe(503);
  await postgres.restart();
  await untilAcked(load, 300);
  await stop();
  const dataDirs = servers.map(({ dataDir }) => dataDir);
  await expectKept({ dataDir: '', databaseUrl }, load, dataDirs);
  // Browsers send a click again only after 5xx.
  expect([...load.others.keys()].filter((status) => status < 500)).toEqual([]);
});

const run = (...args: string[]) =>
  execFileSync(findProgram('promtool') ?? '', args, { cwd: 'deploy/prometheus', encoding: 'utf8' });

test('Prometheus accepts the rules, and they pass their tests', () => {
  expect(run('check', 'rules', 'site.rules.yml')).toMatch(/[1-9] rules found/);
  run('test', 'rules', 'site.rules.test.yml');
});

test('systemd: the unit leaves an intruder little (exposure below 2.0)', () => {
  const unit = 'deploy/systemd/site.service';
  const args = ['security', '--offline=true', '--threshold=20', unit];
  const { status, stdout } = spawnSync(findProgram('systemd-analyze') ?? '', args, {
    encoding: 'utf8',
  });
  expect(stdout).toContain('Overall exposure level for site.service');
  expect([status, stdout]).toEqual([0, stdout]);
  // `setpriority` is allowed, because the report's process lowers its own priority. A later line of
  // the unit overrides an earlier one.
  const filters = readFileSync(unit, 'utf8').match(/(?<=^SystemCallFilter=).*$/gm);
  expect(filters).toEqual(['@system-service', '~@privileged @resources', 'setpriority']);
});
