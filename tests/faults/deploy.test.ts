/** The files of deploy/: two servers and PostgreSQL behind Caddy, whose parts end under load, and the alerts. */

import { execFileSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { startCluster } from '../helpers/cluster/cluster.ts';
import { findPromtool } from '../helpers/cluster/prometheus.ts';
import { DEPLOYED, shippedRules } from '../helpers/server/alert-files.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { makeLoad, startLoad, untilAcked, untilAnswered } from '../helpers/server/server-load.ts';

test('one server after the other is killed, and PostgreSQL ends, under load: the page stays up, and no click is lost or counted twice', async () => {
  const cluster = await startCluster();
  const load = makeLoad();
  const stop = startLoad(cluster.url, load, { likeBrowsers: true });
  onTestFinished(stop);
  for (const i of cluster.servers.keys()) {
    await untilAcked(load, 300);
    await cluster.killServer(i);
    await untilAcked(load, 300);
    await cluster.restartServer(i);
  }
  await untilAcked(load, 300);
  await cluster.postgres.stop();
  await untilAnswered(load, 503, 50);
  expect((await fetch(cluster.url)).status).toBe(200);
  // Caddy writes a message about this request. The cluster's end checks that it does not name the visitor.
  const click = {
    method: 'POST',
    headers: { 'user-agent': 'Mozilla/5.0', 'content-type': 'application/json' },
    body: JSON.stringify(makeBody()),
  };
  expect((await fetch(`${cluster.url}/api/log-cta?of=clinic-7`, click)).status).toBe(503);
  await cluster.postgres.restart();
  await untilAcked(load, 300);
  await stop();
  await cluster.expectKept(load);
  // Browsers send a click again after 5xx alone.
  expect([...load.others.keys()].filter((status) => status < 500)).toEqual([]);
});

const run = (...args: string[]) =>
  execFileSync(findPromtool() ?? '', args, { cwd: DEPLOYED, encoding: 'utf8', stdio: 'pipe' });

test('Prometheus accepts the rules, and they pass their tests', () => {
  const rules = `${shippedRules().length} rules found`;
  expect(run('check', 'rules', 'site.rules.yml')).toContain(rules);
  run('test', 'rules', 'site.rules.test.yml');
});
