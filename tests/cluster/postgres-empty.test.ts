/** PostgreSQL comes back without the site's tables, such as after a lost disk. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

type Site = Awaited<ReturnType<typeof startApp>>;
const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

async function click({ app }: Site, n: number) {
  const payload = makeBody({ id: idOf(n) });
  const answer = await app.inject({ method: 'POST', url: '/api/log-cta', payload });
  return answer.statusCode === 200 ? answer.json().status : answer.statusCode;
}

test('log and health say what to do, before and after a click; a restart adds the clicks', async () => {
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  };
  const site = await startApp({ env });
  expect(await click(site, 1)).toBe('logged');
  await query(env.DATABASE_URL, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const { host } = new URL(env.DATABASE_URL);
  const advice =
    'its tables are gone. Restore the dump, or restart the servers: they make the tables and add their clicks. Registrations come back with the dump alone.';
  // Others follow: PostHog's receipts are in the same database.
  const reason = async () => (await site.app.inject('/healthz')).json().reasons?.[0];
  await expect.poll(reason).toBe(`PostgreSQL (${host}): ${advice}`);
  expect((await site.app.inject('/readyz')).statusCode).toBe(503);

  expect(await click(site, 2)).toBe(503);
  expect(await reason()).toBe(`PostgreSQL (${host}): ${advice}`);
  const errors = site.logged().filter(({ msg }) => /^Clicks/.test(String(msg)));
  expect(errors.map(({ msg }) => msg)).toEqual([
    `Clicks cannot be kept: PostgreSQL (${host}${new URL(env.DATABASE_URL).pathname}): ${advice}`,
  ]);
  expect(errors[0]).not.toHaveProperty('err');

  await site.close();
  const again = await startApp({ env, dataDir: site.config.dataDir });
  expect((await again.app.inject('/healthz')).statusCode).toBe(200);
  expect(await click(again, 1)).toBe('duplicate');
  expect(await click(again, 2)).toBe('logged');
});
