import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { startTcpProxy } from '../helpers/fakes/tcp-proxy.ts';
import { readPeople } from '../helpers/server/registrations.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';
import { storedIds } from '../helpers/server/server-process.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

type Site = Awaited<ReturnType<typeof startApp>>;
const idOf = (n: number) => `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`;

const KEYS = `k1:${randomBytes(32).toString('base64')}`;
/** Settings of every server of one database. */
const makeEnv = async () => ({
  DATABASE_URL: await postgres.createDatabase(),
  REGISTRATION_KEYS: KEYS,
});

const click = (site: Site, n: number) =>
  site.app.inject({
    method: 'POST',
    url: '/api/log-cta',
    payload: makeBody({ id: idOf(n) }),
  });
const statusOf = async (site: Site, n: number) => (await click(site, n)).json().status;
const totalOf = async (site: Site) => (await site.app.inject('/api/stats')).json().clicks.total;
const said = (site: Site) => site.logged().map(({ msg }) => msg);

test('two servers on one database: a click that is repeated to the other server counts once', async () => {
  const env = await makeEnv();
  const [a, b] = await Promise.all([startApp({ env }), startApp({ env })]);
  expect(await statusOf(a, 1)).toBe('logged');
  expect(await statusOf(b, 1)).toBe('duplicate');
  expect(await statusOf(b, 2)).toBe('logged');
  expect([a.lines().length, b.lines().length]).toEqual([1, 1]);
  expect([await totalOf(a), await totalOf(b)]).toEqual([2, 2]);
  await a.close();
  const again = await startApp({ env, dataDir: a.config.dataDir });
  expect(await totalOf(again)).toBe(2);
  expect(said(again)).toEqual([]);
});

test('a click whose commit PostgreSQL may have made keeps its line, so that its repetition is a true duplicate', async () => {
  const env = await makeEnv();
  const url = new URL(env.DATABASE_URL);
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const site = await startApp({ env: { ...env, DATABASE_URL: url.href } });
  expect(await statusOf(site, 1)).toBe('logged');
  proxy.cutAnswerTo('COMMIT');
  expect((await click(site, 2)).statusCode).toBe(503);
  await expect.poll(() => statusOf(site, 2)).toBe('duplicate');
  expect(site.lines().map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
});

test('verify: a click in two ledgers is a note, because a server may have stopped before it answered; twice in one is a difference', async () => {
  const env = await makeEnv();
  const [a, b] = await Promise.all([startApp({ env }), startApp({ env })]);
  expect(await statusOf(a, 1)).toBe('logged');
  await b.close();
  const [line] = readFileSync(a.config.files.ledger, 'utf8').split('\n');
  writeFileSync(b.config.files.ledger, `${line}\n`);
  const again = await startApp({ env, dataDir: b.config.dataDir });
  const folders = [a, b].flatMap(({ config }) => ['--ledger', config.dataDir]);
  const verify = () => runCli('clicks.ts', ['verify', ...folders], env);
  expect(await verify()).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 clicks are in two ledgers'),
  });
  await again.close();
  await a.close();
  appendFileSync(a.config.files.ledger, `${line}\n`);
  expect(await verify()).toMatchObject({
    code: 1,
    out: expect.stringContaining(`The id ${idOf(1)} is there twice, now in line 2 of`),
  });
});

test('without the database the server acknowledges no click, serves the page, and recovers by itself', async () => {
  const site = await startApp({ env: await makeEnv() });
  expect(await statusOf(site, 1)).toBe('logged');
  await postgres.stop();
  const refused = await click(site, 2);
  expect(refused.statusCode).toBe(503);
  expect(refused.headers['retry-after']).toBe('5');
  expect(site.lines()).toHaveLength(1);
  expect((await site.app.inject('/')).statusCode).toBe(200);
  const health = await site.app.inject('/healthz');
  expect(health.statusCode).toBe(503);
  expect(health.json().faults.clicks).toMatch(/^[A-Z0-9]+$/);

  await postgres.restart();
  await expect.poll(() => statusOf(site, 2)).toBe('logged');
  expect((await site.app.inject('/healthz')).statusCode).toBe(200);
  expect(await statusOf(site, 1)).toBe('duplicate');
  expect(site.lines()).toHaveLength(2);
  // The receipts are in the same database, and have messages of their own.
  const ofClicks = said(site).filter((message) => String(message).startsWith('Clicks'));
  expect(ofClicks).toEqual([
    expect.stringMatching(/^Clicks cannot be kept: .*PostgreSQL/),
    'Clicks are kept again',
  ]);
});

test('a server without clicks notices that its database is away, and names it to its own machine', async () => {
  const env = await makeEnv();
  const site = await startApp({ env });
  const ready = async () => {
    const answer = await site.app.inject('/readyz');
    return [answer.statusCode, answer.json()];
  };
  expect(await ready()).toEqual([200, { status: 'ready' }]);
  await postgres.stop();
  const reason = `PostgreSQL refuses connections at ${new URL(env.DATABASE_URL).host}.`;
  await expect.poll(ready).toEqual([503, { status: 'failing', reasons: [reason] }]);
  await postgres.restart();
  await expect.poll(ready).toEqual([200, { status: 'ready' }]);
});

test('a server that starts without the database serves the page, and takes clicks when the database runs', async () => {
  const env = await makeEnv();
  const before = await startApp({ env });
  expect(await statusOf(before, 1)).toBe('logged');
  await before.close();
  await postgres.stop();

  const site = await startApp({ env, dataDir: before.config.dataDir });
  expect((await site.app.inject('/')).statusCode).toBe(200);
  expect((await click(site, 2)).statusCode).toBe(503);
  expect((await site.app.inject('/api/stats')).statusCode).toBe(503);
  await postgres.restart();
  await expect.poll(() => statusOf(site, 1)).toBe('duplicate');
  expect(await statusOf(site, 2)).toBe('logged');
  expect(await totalOf(site)).toBe(2);
});

test('a database that rejects the server ends its start with advice', async () => {
  const env = await makeEnv();
  const url = new URL(env.DATABASE_URL);
  url.pathname = '/nowhere';
  await expect(startApp({ env: { ...env, DATABASE_URL: url.href } })).rejects.toThrow(
    /^PostgreSQL \(127\.0\.0\.1:\d+\/nowhere\): there is no such database\. Create it, or correct DATABASE_URL\.$/,
  );
});

test('restores from the ledger what a crash of the database lost, before the next click', async () => {
  const env = await makeEnv();
  const [a, b] = await Promise.all([startApp({ env }), startApp({ env })]);
  for (let n = 0; n < 20; n += 1) expect(await statusOf(a, n)).toBe('logged');
  // The database had not yet written its last commits to its disk.
  await postgres.kill();
  await postgres.restart();
  await expect.poll(() => statusOf(a, 100)).toBe('logged');
  for (let n = 0; n < 20; n += 1) await expect.poll(() => statusOf(b, n)).toBe('duplicate');
  expect(await totalOf(b)).toBe(21);
  expect([a.lines().length, b.lines().length]).toEqual([21, 0]);
});

test.each(['loseQuestion', 'cutAnswerTo'] as const)(
  'a ledger is rotated after a commit in doubt (%s): its lines are counted, and a repeated click is in it once',
  async (fault) => {
    const env = await makeEnv();
    const url = new URL(env.DATABASE_URL);
    const proxy = await startTcpProxy(postgres.port);
    url.port = String(proxy.port);
    const site = await startApp({ env: { ...env, DATABASE_URL: url.href } });
    expect(await statusOf(site, 1)).toBe('logged');
    proxy[fault]('COMMIT');
    expect((await click(site, 2)).statusCode).toBe(503);
    const { ledger } = site.config.files;
    renameSync(ledger, `${ledger}.1`);
    await site.data.recorder.reopen();
    await expect.poll(() => statusOf(site, 2), { timeout: 30_000 }).toBe('duplicate');
    expect(await statusOf(site, 3)).toBe('logged');
    expect(await storedIds(ledger)).toEqual([1, 2, 3].map(idOf));
    await expect.poll(() => totalOf(site), { timeout: 30_000 }).toBe(3);
  },
);

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

test('clicks rebuild empties and refills the index; a running server adds its own clicks again', async () => {
  const env = await makeEnv();
  const [a, b, running] = await Promise.all([1, 2, 3].map(() => startApp({ env })));
  if (!a || !b || !running) throw new Error('three servers were started');
  for (const [site, n] of [
    [a, 1],
    [b, 2],
    [running, 3],
  ] as const)
    await click(site, n);
  await Promise.all([a.close(), b.close()]);
  const args = ['cli/clicks.ts', 'rebuild', '--ledger', b.config.dataDir];
  const out = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env, DATA_DIR: a.config.dataDir },
  });
  expect(out.match(/^1 clicks of .*clicks\.jsonl are in 127\.0\.0\.1/gm)).toHaveLength(2);
  await expect.poll(() => statusOf(running, 3)).toBe('duplicate');
  expect(said(running)).toContain('Took 1 clicks from the ledger into the index');
  const again = await startApp({ env, dataDir: a.config.dataDir });
  expect(await totalOf(again)).toBe(3);
  expect(await statusOf(again, 2)).toBe('duplicate');
});
