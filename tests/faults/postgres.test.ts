/** PostgreSQL stops, hangs or loses its machine while clients send clicks. No server restarts. */

import { randomUUIDv7 as newId } from 'node:crypto';
import { expect, test } from 'vitest';
import { query, STANDBY, setSynchronous } from '../helpers/cluster/postgres.ts';
import { postgresEnv, startOwnPostgres } from '../helpers/server/databases.ts';
import { testCapture } from '../helpers/server/posthog-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../helpers/server/scrape.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import {
  makeLoad,
  sendClick,
  startLoad,
  untilAcked,
  untilAnswered,
} from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const statusOf = async (url: string) => (await fetch(url)).status;
const reasonsOf = async (url: string) => {
  const answer = await fetch(`${url}/healthz`, { headers: withPassword(ADMIN_PASSWORD) });
  return (await answer.json()).reasons;
};

test('PostgreSQL starts after the server, stops, is killed, and starts: 503 meanwhile, no click is lost or counts twice, PostHog gets each, and both servers are well again', async () => {
  const postgres = await startOwnPostgres();
  const env = { ...postgresEnv(await postgres.createDatabase()), ADMIN_PASSWORD };
  await postgres.stop();
  const posthog = await testCapture();
  const site = { posthogHost: posthog.url };
  const [server, other] = [await startServer({ env, site }), await startServer({ env, site })];
  const { load, stop } = startLoad(server.url);
  await untilAnswered(load, 503, 50);
  await postgres.restart();
  for (const end of [postgres.stop, postgres.kill]) {
    await untilAcked(load, 300);
    await end();
    await untilAnswered(load, 503, 50);
    expect(await statusOf(server.url)).toBe(200);
    expect(await statusOf(`${server.url}/livez`)).toBe(200);
    expect(await statusOf(`${server.url}/readyz`)).toBe(503);
    await postgres.restart();
  }
  await untilAcked(load, 300);
  await stop();
  expect([...load.others.keys()]).toEqual([503]);
  expect(await statusOf(`${server.url}/readyz`)).toBe(200);
  await expectKept(server, load);
  const missing = () => load.acked.difference(new Set(posthog.merged().map(({ uuid }) => uuid)));
  await expect.poll(missing).toEqual(new Set());
  for (const { url } of [server, other]) await expect.poll(() => reasonsOf(url)).toEqual([]);
});

test('PostgreSQL hangs: a browser gets 503 before it gives up after 5 s, and clicks are kept again after the hang', async () => {
  const postgres = await startOwnPostgres();
  const server = await startServer({ env: postgresEnv(await postgres.createDatabase()) });
  const load = makeLoad();
  const click = async () => {
    const id = newId();
    const begun = performance.now();
    const status = await sendClick(server.url, id);
    expect(performance.now() - begun).toBeLessThan(5000);
    if (status === 200) load.acked.add(id);
    return status;
  };
  expect(await click()).toBe(200);
  postgres.hang();
  // The first clicks wait for the transaction that hangs, the second ones for the next transaction.
  const first = Array.from({ length: 20 }, click);
  // The server answers this request after it has read the first clicks.
  expect(await statusOf(`${server.url}/livez`)).toBe(200);
  const second = Array.from({ length: 20 }, click);
  expect(new Set(await Promise.all([...first, ...second]))).toEqual(new Set([503]));
  expect(await statusOf(server.url)).toBe(200);
  await expect.poll(() => statusOf(`${server.url}/readyz`)).toBe(503);
  postgres.goOn();
  await expect.poll(click).toBe(200);
  expect(await statusOf(`${server.url}/api/stats`)).toBe(200);
  await expectKept(server, load);
});

test('the primary’s machine is lost, and its synchronous standby is promoted: no click is lost or counts twice', async () => {
  const primary = await startOwnPostgres();
  const standby = await startOwnPostgres({ primary });
  await setSynchronous(primary, STANDBY);
  const synced = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await expect.poll(() => query(primary.url('postgres'), synced)).toHaveLength(1);
  await primary.createDatabase();
  const urls = [primary, standby].map(({ url }) => url('test_1'));
  const env = { ...postgresEnv(urls.join(',')) };
  const server = await startServer({ env });
  const { load, stop } = startLoad(server.url);
  await untilAcked(load, 500);
  await primary.remove();
  await untilAnswered(load, 503, 50);
  await query(standby.url('postgres'), 'SELECT pg_promote()');
  await untilAcked(load, 500);
  await stop();
  expect([...load.others.keys()]).toEqual([503]);
  await expectKept({ dataDir: server.dataDir, databaseUrl: urls[1] }, load);
});
