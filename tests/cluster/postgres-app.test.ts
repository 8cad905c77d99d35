import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { startTcpProxy } from '../helpers/fakes/tcp-proxy.ts';
import { readPeople } from '../helpers/server/registrations.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

type Site = Awaited<ReturnType<typeof startApp>>;

const KEYS = `k1:${randomBytes(32).toString('base64')}`;
/** Settings of every server of one database. */
const makeEnv = async () => ({
  DATABASE_URL: await postgres.createDatabase(),
  REGISTRATION_KEYS: KEYS,
});

const click = (site: Site, id: string) =>
  site.app.inject({ method: 'POST', url: '/api/log-cta', payload: makeBody({ id }) });
const statusOf = async (site: Site, id: string) => (await click(site, id)).json().status;

test('a click whose commit PostgreSQL may have made gets 503, and its repetition is a true duplicate', async () => {
  const env = await makeEnv();
  const url = new URL(env.DATABASE_URL);
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const site = await startApp({ env: { ...env, DATABASE_URL: url.href } });
  const [first, second] = [newId(), newId()];
  expect(await statusOf(site, first)).toBe('logged');
  proxy.cutAnswerTo('COMMIT');
  expect((await click(site, second)).statusCode).toBe(503);
  await expect.poll(() => statusOf(site, second)).toBe('duplicate');
  expect(site.lines()).toMatchObject([{ id: first }, { id: second, duplicate: true }]);
});

test('a database that rejects the server ends its start with advice', async () => {
  const env = await makeEnv();
  const url = new URL(env.DATABASE_URL);
  url.pathname = '/nowhere';
  await expect(startApp({ env: { ...env, DATABASE_URL: url.href } })).rejects.toThrow(
    /^PostgreSQL \(127\.0\.0\.1:\d+\/nowhere\): there is no such database\. Create it, or correct DATABASE_URL\.$/,
  );
});

test('servers share registrations: one per address, readable by each server', async () => {
  const env = await makeEnv();
  const [a, b] = await Promise.all([startApp({ env }), startApp({ env })]);
  const register = (site: Site) =>
    site.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: {
        firstName: 'Ada',
        lastName: 'Byron',
        email: 'ada@site.example',
        agreedToTerms: true,
      },
    });
  const answers = await Promise.all([register(a), register(b), register(a)]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201]);
  const people = await readPeople(b.config);
  expect(people).toMatchObject([{ firstName: 'Ada', email: 'ada@site.example' }]);

  await postgres.stop();
  const refused = await register(a);
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('10');
  await postgres.restart();
  await expect.poll(async () => (await register(a)).statusCode).toBe(201);
});
