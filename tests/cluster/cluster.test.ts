/** Three servers behind nginx with the shipped configuration. The tests kill its parts under load, one after another. */
import { once } from 'node:events';
import { request } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../helpers/cluster/cluster.ts';
import { query } from '../helpers/cluster/postgres.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import {
  type Load,
  makeLoad,
  startLoad,
  untilAcked,
  untilAnswered,
} from '../helpers/server/server-load.ts';
import { storedIds } from '../helpers/server/server-process.ts';

async function send(url: string, method: string, body?: object, localAddress = '127.0.0.1') {
  const headers = body ? { 'content-type': 'application/json' } : {};
  const sent = request(url, { method, headers, localAddress, rejectUnauthorized: false });
  sent.end(body && JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  const text = (await Array.fromAsync(answer as AsyncIterable<Buffer>)).join('');
  return { status: answer.statusCode as number, headers: answer.headers, text };
}

/** Expects each acknowledged click in a ledger, no id twice in a ledger, and each id counted once. */
async function expectExact(cluster: Cluster, load: Load): Promise<number> {
  const ledgers = await Promise.all(cluster.ledgers.map(storedIds));
  const ids = new Set(ledgers.flat());
  const lost = [...load.acked].filter((id) => !ids.has(id));
  const twice = ledgers.map((all) => all.length - new Set(all).size);
  const [row] = await query(
    cluster.databaseUrl,
    `SELECT (SELECT sum(count) FROM clicks_per_day)::int AS counted,
            (SELECT count(*) FROM clicks)::int AS indexed`,
  );
  expect({ lost, twice, ...row }).toEqual({
    ...{ lost: [], twice: [0, 0, 0] },
    ...{ counted: ids.size, indexed: ids.size },
  });
  return ids.size;
}

function click(cluster: Cluster): { load: Load; stop: () => Promise<void> } {
  const load = makeLoad();
  const stop = startLoad(cluster.url, load);
  onTestFinished(stop);
  return { load, stop };
}

test('clicks and registrations go through nginx to all servers, and are counted once', async () => {
  const cluster = await startCluster();
  const { load, stop } = click(cluster);
  await untilAcked(load, 1000);
  await stop();
  expect([...load.others]).toEqual([]);
  const total = await expectExact(cluster, load);
  for (const ledger of cluster.ledgers) {
    const ids = await storedIds(ledger);
    expect(ids.length).toBeGreaterThan(total / 10);
  }
  // The counts may be five seconds old.
  const stats = () => send(`${cluster.url}/api/stats`, 'GET').then(({ text }) => JSON.parse(text));
  await expect.poll(async () => (await stats()).clicks.total).toBe(total);

  // 20 registrations a minute and address, over all servers.
  const person = { firstName: 'Ada', lastName: 'Byron', agreedToTerms: true };
  const statuses: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    const body = { ...person, email: `a${n % 5}@site.example` };
    statuses.push((await send(`${cluster.url}/api/register`, 'POST', body)).status);
  }
  expect(statuses).toEqual([...Array(20).fill(201), ...Array(10).fill(429)]);
  const [kept] = await query(cluster.databaseUrl, 'SELECT count(*)::int AS n FROM registrations');
  expect(kept).toEqual({ n: 5 });
});

test('one server after the other is killed under load: no click is rejected, lost or counted twice', async () => {
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
  await expectExact(cluster, load);
  expect([...load.others]).toEqual([]);
});

test('Redis is killed under load: the servers take clicks as before', async () => {
  const cluster = await startCluster();
  const { load, stop } = click(cluster);
  await untilAcked(load, 300);
  await cluster.redis.kill();
  await untilAcked(load, 1000);
  await cluster.redis.restart();
  await untilAcked(load, 300);
  await stop();
  await expectExact(cluster, load);
  expect([...load.others]).toEqual([]);
});

test.each(['kill', 'stop'] as const)(
  'PostgreSQL ends under load (%s): clicks get 503 until it returns, the page stays up, and the servers recover',
  async (how) => {
    const cluster = await startCluster();
    const { load, stop } = click(cluster);
    await untilAcked(load, 1000);
    await cluster.postgres[how]();
    await untilAnswered(load, 503, 200);
    const refused = await send(`${cluster.url}/api/log-cta`, 'POST', makeBody());
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('5');
    expect((await send(cluster.url, 'GET')).status).toBe(200);
    await cluster.postgres.restart();
    await untilAcked(load, 1000);
    await stop();
    await expectExact(cluster, load);
    expect([...load.others.keys()]).toEqual([503]);
  },
);

test('a server that was killed without PostgreSQL adds its lines to the index when both run again', async () => {
  const cluster = await startCluster();
  const { load, stop } = click(cluster);
  await untilAcked(load, 500);
  await cluster.postgres.kill();
  await cluster.killServer(0);
  await untilAnswered(load, 503, 50);
  await cluster.postgres.restart();
  await untilAcked(load, 300);
  await cluster.restartServer(0);
  await untilAcked(load, 300);
  await stop();
  await expectExact(cluster, load);
});
