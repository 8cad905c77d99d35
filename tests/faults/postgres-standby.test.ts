/** The server says whether PostgreSQL has a synchronous standby, never claims one that it cannot see, and commits that wait for one. */
import { randomUUIDv7 as newId } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  type Postgres,
  query,
  STANDBY,
  setSynchronous,
  startPostgres,
} from '../helpers/cluster/postgres.ts';
import { postgresEnv } from '../helpers/server/databases.ts';
import { ADMIN_PASSWORD, readReasons, scrape } from '../helpers/server/scrape.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let primary: Postgres;
let standby: Postgres;
beforeAll(async () => {
  primary = await startPostgres();
  standby = await startPostgres({ primary });
});
afterAll(async () => {
  await standby.remove();
  await primary.remove();
});

async function startWatching(databaseUrl: string) {
  const site = await startApp({
    env: { ...postgresEnv(databaseUrl), ADMIN_PASSWORD },
    rests: { standby: { everyMs: 100 } },
  });
  return {
    ...site,
    reasons: () => readReasons(site),
    logs: () => site.logged().map(({ msg }) => msg),
    click: async () => (await site.postClick(makeBody())).statusCode,
    state: async () => {
      const series = await scrape(site);
      return ['yes', 'no', 'unknown'].filter((state) => series[`site_standby{state="${state}"}`]);
    },
  };
}

test('a standby that was never there is no reason; one that is configured away, or that dies, while the server runs is one', async () => {
  const gone = 'PostgreSQL has no synchronous standby: its clicks are lost with its disk.';
  const site = await startWatching(await primary.createDatabase());
  await expect.poll(site.state).toEqual(['no']);
  await expect.poll(site.reasons).toEqual([]);
  expect(site.logs()).toContain(gone);
  await setSynchronous(primary, STANDBY);
  await expect.poll(site.state).toEqual(['yes']);
  expect(await site.click()).toBe(200);
  await expect.poll(site.reasons).toEqual([]);
  expect(site.logs()).toContain(
    'PostgreSQL has a synchronous standby: clicks outlive its machine.',
  );

  await setSynchronous(primary, '');
  await expect.poll(site.reasons).toEqual([gone]);
  expect(await site.click()).toBe(200);
  expect(await site.state()).toEqual(['no']);

  await setSynchronous(primary, STANDBY);
  await expect.poll(site.reasons).toEqual([]);
  await standby.kill();
  await expect
    .poll(site.reasons)
    .toContain(`PostgreSQL waits for the standby ${STANDBY}, which is not there.`);
  await setSynchronous(primary, '');
});

test('a user who may not see the standbys makes the state unknown, until a GRANT', async () => {
  const admin = primary.url('postgres');
  await query(admin, 'CREATE ROLE plain LOGIN');
  await query(admin, 'CREATE DATABASE of_plain OWNER plain');
  const again = await startPostgres({ primary });
  try {
    await setSynchronous(primary, STANDBY);
    const site = await startWatching(primary.url('of_plain').replace('site@', 'plain@'));
    const grant = expect.stringContaining('GRANT pg_monitor TO plain');
    await expect.poll(site.reasons).toEqual([grant]);
    expect(await site.click()).toBe(200);
    expect(await site.state()).toEqual(['unknown']);
    await query(admin, 'GRANT pg_monitor TO plain');
    await expect.poll(site.state).toEqual(['yes']);
    await setSynchronous(primary, '');
  } finally {
    await again.remove();
  }
});

test('a click whose commit PostgreSQL may have made gets 503, and its repetition is a true duplicate', async () => {
  const site = await startApp({ env: postgresEnv(await primary.createDatabase()) });
  const click = (id: string) => site.postClick(makeBody({ id }));
  const statusOf = async (id: string) => (await click(id)).json().status;
  const [first, second] = [newId(), newId()];
  expect(await statusOf(first)).toBe('logged');
  // PostgreSQL has written a commit, and waits for a standby that is not there. Then its process is ended.
  await setSynchronous(primary, 'missing_standby');
  const admin = primary.url('postgres');
  const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
  const ending = setInterval(() => query(admin, end).catch(() => {}), 50);
  onTestFinished(() => clearInterval(ending));
  // PostgreSQL takes the setting a moment later.
  const write = () => query(admin, "COMMENT ON DATABASE postgres IS 'written'");
  await expect.poll(() => write().catch(() => 'ended')).toBe('ended');
  expect((await click(second)).statusCode).toBe(503);
  clearInterval(ending);
  await setSynchronous(primary, '');
  await expect.poll(() => statusOf(second)).toBe('duplicate');
  expect(site.lines()).toMatchObject([{ id: first }, { id: second, duplicate: true }]);
});
