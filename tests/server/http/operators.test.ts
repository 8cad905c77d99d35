/** Wrong passwords: their limits, their lines in the log, and their counters. */
import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../../server/time.ts';
import { ADMIN_PASSWORD, scrape, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const PERIOD_MS = 10 * MINUTE_MS;
const START = Date.parse('2026-11-28T12:00:00Z');
/** Each way to give a password. */
const PLACES = [
  '/report',
  '/report.csv',
  '/report/sql',
  '/report/links/none',
  '/report/links/none/qr',
  '/report/links/none/qr.png',
  '/metrics',
  '/healthz',
].flatMap((url) => [{ method: 'GET', url } as const, { method: 'HEAD', url } as const]);
const PLACES_AND_FORM = [...PLACES, { method: 'POST', url: '/report' } as const];

async function start(site = {}) {
  const clock = { now: START };
  const started = await startApp({ env: { ADMIN_PASSWORD }, site, now: () => clock.now });
  // /healthz says 503 until the server has written once.
  await started.data.health.probe();
  const { app } = started;
  let asked = 0;
  return {
    ...started,
    clock,
    /** Gives a password at the next place in turn. @returns the answer's status */
    async give(password: string, remoteAddress = '198.51.100.1', headers = {}) {
      const place = PLACES_AND_FORM[asked % PLACES_AND_FORM.length];
      asked += 1;
      const sent = { ...withPassword(password), ...headers };
      return (await app.inject({ ...place, remoteAddress, headers: sent })).statusCode;
    },
    /** Whether the right password opens the metrics. */
    async opens(remoteAddress: string) {
      const headers = withPassword(ADMIN_PASSWORD);
      return (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode === 200;
    },
    about: (msg: RegExp) => started.logged().filter((line) => msg.test(String(line.msg))),
  };
}

test('one address has ten wrong passwords in ten minutes, over all paths and methods', async () => {
  const { give, opens, clock, app } = await start();
  const wrong = [
    '',
    'a',
    ADMIN_PASSWORD.slice(1),
    `${ADMIN_PASSWORD} `,
    ADMIN_PASSWORD.toUpperCase(),
  ];
  for (let n = 0; n < 10; n += 1) expect(await give(wrong[n % wrong.length] ?? '')).toBe(401);
  for (let n = 0; n < 40; n += 1) expect(await give('another', '::ffff:198.51.100.1')).toBe(429);
  // Otherwise the answer would tell which password is right.
  expect(await opens('198.51.100.1')).toBe(false);
  expect(await opens('198.51.100.2')).toBe(true);
  const remoteAddress = '198.51.100.1';
  const limited = { url: '/metrics', remoteAddress, headers: withPassword('another') };
  expect((await app.inject(limited)).headers['retry-after']).toBe('600');
  expect((await app.inject({ url: '/healthz', remoteAddress })).statusCode).toBe(200);
  clock.now += PERIOD_MS - 1;
  expect(await opens('198.51.100.1')).toBe(false);
  clock.now += 1;
  expect(await opens('198.51.100.1')).toBe(true);
});

test.each([
  ['the addresses of one IPv6 /56', (n: number) => [`2001:db8:0:1${n % 10}::${n}`, {}], 429],
  [
    'an address that names others as its visitors',
    (n: number) => ['198.51.100.1', { 'x-forwarded-for': `192.0.2.${n}` }],
    429,
  ],
  ['other addresses', (n: number) => [`192.0.2.${n}`, {}], 401],
] as [string, (n: number) => [string, object], number][])(
  'after ten wrong passwords, %s',
  async (_name, addressOf, status) => {
    const { give } = await start();
    for (let n = 0; n < 10; n += 1) expect(await give('another', ...addressOf(n))).toBe(401);
    expect(await give('another', ...addressOf(10))).toBe(status);
  },
);

test('all addresses together have a hundred, but for those that have given the right one', async () => {
  const { give, opens, clock } = await start();
  expect(await opens('192.0.2.1')).toBe(true);
  for (let n = 0; n < 100; n += 1) expect(await give('another', `10.0.${n}.1`)).toBe(401);
  expect(await give('another', '10.0.200.1')).toBe(429);
  expect(await opens('10.0.200.1')).toBe(false);
  expect(await opens('192.0.2.1')).toBe(true);
  for (let n = 0; n < 10; n += 1) expect(await give('another', '192.0.2.1')).toBe(401);
  expect(await opens('192.0.2.1')).toBe(false);
  clock.now += PERIOD_MS;
  expect(await opens('10.0.200.1')).toBe(true);
  // The wrong ones of a known address are not among the hundred.
  for (let n = 0; n < 10; n += 1) expect(await give('another', '192.0.2.1')).toBe(401);
  for (let n = 0; n < 100; n += 1) expect(await give('another', `10.0.${n}.1`)).toBe(401);
});

test('a header that has no password is no try, and a clock that is set back ends no limit for ever', async () => {
  const { app, give, opens, clock } = await start();
  for (const authorization of ['Bearer x', 'Basic', 'Basic ???', `Basic ${btoa('a')}`])
    for (let n = 0; n < 5; n += 1) {
      const asked = { url: '/metrics', remoteAddress: '198.51.100.1', headers: { authorization } };
      expect((await app.inject(asked)).statusCode, authorization).toBe(401);
    }
  expect(await opens('198.51.100.1')).toBe(true);
  for (let n = 0; n < 10; n += 1) await give('another');
  expect(await opens('198.51.100.1')).toBe(false);
  clock.now -= 365 * 24 * 60 * MINUTE_MS;
  expect(await opens('198.51.100.1')).toBe(true);
});

const KEPT: [logIp: string, address: string | null][] = [
  ['full', '198.51.100.7'],
  ['truncated', '198.51.100.0'],
  ['none', null],
];

test.each(KEPT)(
  'each wrong password and the first right one of an address is a line and a counter, with logIp %s',
  async (logIp, remote_ip) => {
    const site = await start({ logIp });
    for (let n = 0; n < 12; n += 1) await site.give('another', '198.51.100.7');
    expect(site.about(/was refused/)).toHaveLength(10);
    expect(site.about(/was refused/)[0]).toMatchObject({
      level: 40,
      remote_ip,
      method: 'GET',
      route: '/report',
      req_id: expect.any(String),
    });
    for (let n = 0; n < 3; n += 1) await site.opens('198.51.100.8');
    const first = site.about(/for the first time/);
    expect(first).toMatchObject([{ level: 30, route: '/metrics' }]);
    expect(await scrape(site)).toMatchObject({
      'site_refusals_total{reason="wrong_password"}': 10,
      'site_refusals_total{reason="rate_limit"}': 2,
      // The address that scrapes is the second one.
      site_first_logins_total: 2,
    });
    expect(JSON.stringify(site.logged())).not.toMatch(/another|a password of the tests/);
  },
);
