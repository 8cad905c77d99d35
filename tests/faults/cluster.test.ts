/** Two servers and PostgreSQL behind Caddy with the shipped configuration. The tests end its parts under load. */
import { expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../helpers/cluster/cluster.ts';
import {
  type Load,
  makeLoad,
  startLoad,
  untilAcked,
  untilAnswered,
} from '../helpers/server/server-load.ts';

function click(cluster: Cluster): { load: Load; stop: () => Promise<void> } {
  const load = makeLoad();
  const stop = startLoad(cluster.url, load, { likeBrowsers: true });
  onTestFinished(stop);
  return { load, stop };
}

test('one server after the other is killed under load: no click is lost or counted twice', async () => {
  const cluster = await startCluster();
  const { load, stop } = click(cluster);
  for (const i of cluster.servers.keys()) {
    await untilAcked(load, 300);
    await cluster.killServer(i);
    await untilAcked(load, 300);
    await cluster.restartServer(i);
  }
  await untilAcked(load, 300);
  await stop();
  await cluster.expectKept(load);
  // Browsers send a click again after 5xx alone.
  expect([...load.others.keys()].filter((status) => status < 500)).toEqual([]);
});

test('PostgreSQL ends under load: clicks get 503 until it returns, and the page stays up', async () => {
  const cluster = await startCluster();
  const { load, stop } = click(cluster);
  await untilAcked(load, 300);
  await cluster.postgres.stop();
  await untilAnswered(load, 503, 50);
  expect((await fetch(cluster.url)).status).toBe(200);
  // Caddy writes a message about this request. The cluster's end checks that it does not name the visitor.
  const headers = { 'user-agent': 'Mozilla/5.0' };
  expect((await fetch(`${cluster.url}/api/stats?of=clinic-7`, { headers })).status).toBe(503);
  await cluster.postgres.restart();
  await untilAcked(load, 300);
  await stop();
  await cluster.expectKept(load);
});
