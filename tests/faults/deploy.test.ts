/** The files of deploy/: two servers and PostgreSQL behind Caddy, whose parts end under load, and the alerts. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { endDaemon } from '../helpers/cluster/postgres.ts';
import { findProgram } from '../helpers/run/find-programs.ts';
import { PLANTED } from '../helpers/server/check-lines.ts';
import { ownPostgres, postgresEnv } from '../helpers/server/databases.ts';
import { freePort } from '../helpers/server/local-server.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const CONFIGURATION = ['--adapter', 'caddyfile', '--config', 'deploy/docker/Caddyfile'];

/** Runs Caddy with the shipped configuration. Resolves when it listens. @throws with its messages when it refuses the configuration */
async function startCaddy(serverPorts: number[]) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const servers = serverPorts.map((port) => `127.0.0.1:${port}`).join(' ');
  // The kernel ends it with this process.
  const args = ['--pdeathsig=KILL', '--', findProgram('caddy') ?? '', 'run', ...CONFIGURATION];
  const child = spawn('setpriv', args, {
    env: { ...process.env, SITE_ADDRESS: url, SERVERS: servers },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(log);
  });
  ended.catch(() => {});
  const isUp = () =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => wait(20, false),
    );
  while (!(await Promise.race([isUp(), ended])));
  return {
    url,
    /** Fails if its log has data of a visitor. */
    async remove() {
      await endDaemon(child, 'SIGTERM');
      expect(log).not.toMatch(PLANTED);
    },
  };
}

test('one server after the other is killed, and PostgreSQL ends, under load: the page stays up, and no click is lost or counted twice', async () => {
  const postgres = await ownPostgres();
  const databaseUrl = await postgres.createDatabase();
  const env = { ...postgresEnv(databaseUrl), TRUST_PROXY: 'loopback' };
  const servers = [await startServer({ env }), await startServer({ env })];
  const caddy = await startCaddy(servers.map(({ port }) => port));
  onTestFinished(caddy.remove);
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
  // Caddy writes a message about this request. Its end checks that the message does not name the visitor.
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
  // Browsers send a click again after 5xx alone.
  expect([...load.others.keys()].filter((status) => status < 500)).toEqual([]);
});

const run = (...args: string[]) =>
  execFileSync(findProgram('promtool') ?? '', args, { cwd: 'deploy/prometheus', encoding: 'utf8' });

test('Prometheus accepts the rules, and they pass their tests', () => {
  expect(run('check', 'rules', 'site.rules.yml')).toMatch(/[1-9] rules found/);
  run('test', 'rules', 'site.rules.test.yml');
});
