/**
 * /livez, /readyz, /healthz and /metrics through the real app, and who may see the pages of
 * operators.
 */

import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../server/time.ts';
import { execute, postgresEnv } from '../../helpers/server/databases.ts';
import { freePort } from '../../helpers/server/local-server.ts';
import { register } from '../../helpers/server/registrations.ts';
import { ADMIN_PASSWORD, scrape, withPassword } from '../../helpers/server/scrape.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

const ELSEWHERE = '203.0.113.9';

const asOperator = (site: Site) => ask(site, '/healthz', withPassword(ADMIN_PASSWORD));
const ask = async ({ app }: Site, url: string, headers = {}, remoteAddress = '127.0.0.1') => {
  const answer = await app.inject({ url, headers, remoteAddress });
  return [answer.statusCode, answer.json()];
};
const untilReady = (site: Site) =>
  expect.poll(() => ask(site, '/readyz')).toEqual([200, { status: 'ready' }]);

test('a server that keeps clicks is ready, and no request makes it write', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  await untilReady(site);
  const probedAt = async () => Number((await site.rows('SELECT at FROM probes'))[0]?.at);
  const before = await probedAt();
  for (let n = 0; n < 30; n += 1) {
    expect(await ask(site, '/livez')).toEqual([200, { status: 'ok' }]);
    expect(await asOperator(site)).toEqual([200, { status: 'ready', reasons: [] }]);
    expect(await ask(site, '/readyz')).toEqual([200, { status: 'ready' }]);
  }
  const passed = (await probedAt()) - before;
  // On a slow machine, the probe of every five seconds may come in between.
  expect(passed === 0 || passed > 4000).toBe(true);
});

test('a server without its database is alive and not ready, and says why to operators alone', async () => {
  const nowhere = `postgres://site@127.0.0.1:${await freePort()}/site`;
  const site = await startApp({ env: { ...postgresEnv(nowhere), ADMIN_PASSWORD } });
  const reasons = [
    expect.stringMatching(
      /^Clicks cannot be kept: PostgreSQL \(127\.0\.0\.1:\d+\/site\): .*ECONNREFUSED/,
    ),
  ];
  await expect
    .poll(() => asOperator(site))
    .toEqual([503, { status: 'failing', reasons: expect.arrayContaining(reasons) }]);
  expect(await ask(site, '/livez')).toEqual([200, { status: 'ok' }]);
  expect(await ask(site, '/readyz')).toEqual([503, { status: 'failing' }]);
  expect(await ask(site, '/healthz', {}, ELSEWHERE)).toEqual([503, { status: 'failing' }]);
  expect(await click(site, makeBody())).toBe(503);
  const series = await scrape(site);
  expect(series).toMatchObject({
    'site_clicks_total{outcome="failed"}': 1,
    'site_clicks_total{outcome="logged"}': 0,
    'site_standby{state="yes"}': 0,
    'site_standby{state="unknown"}': 1,
    site_ready: 0,
  });
  // A figure that cannot be read is missing, not 0.
  expect(series.site_mails_waiting).toBeUndefined();
});

test('a stopping server is not ready; example values are no reason on a machine that tries the site', async () => {
  let isStopping = false;
  const site = await startApp({
    env: { ADMIN_PASSWORD },
    site: { siteUrl: 'http://localhost:3000', exampleKeys: ['operator'] },
    parts: { isStopping: () => isStopping },
  });
  await untilReady(site);
  expect(await asOperator(site)).toEqual([200, { status: 'ready', reasons: [] }]);
  isStopping = true;
  // Caddy then sends its pages to another server, too.
  expect(await ask(site, '/livez')).toEqual([503, { status: 'stopping' }]);
  expect(await ask(site, '/readyz')).toEqual([503, { status: 'stopping' }]);
  expect(await ask(site, '/healthz', {}, ELSEWHERE)).toEqual([503, { status: 'stopping' }]);
});

test('reasons need the password, whatever the user name and wherever the request comes from', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  await untilReady(site);
  const short = [200, { status: 'ready' }];
  const refused = [401, { error: expect.objectContaining({ code: 'unauthorized' }) }];
  // A proxy on the server's machine may name its visitor in any of these headers, or in none.
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'x-none'])
    expect(await ask(site, '/healthz', { [name]: ELSEWHERE }), name).toEqual(short);
  for (const from of ['127.0.0.1', '::1', '::ffff:127.0.0.1', ELSEWHERE]) {
    expect(await ask(site, '/healthz', {}, from), from).toEqual(short);
    expect(await ask(site, '/healthz', withPassword('another'), from)).toEqual(refused);
    const long = [200, { status: 'ready', reasons: [] }];
    expect(await ask(site, '/healthz', withPassword(ADMIN_PASSWORD), from)).toEqual(long);
  }
  const open = await startApp();
  await untilReady(open);
  expect(await ask(open, '/healthz')).toEqual(short);
  expect(await ask(open, '/healthz', withPassword(''), ELSEWHERE)).toEqual(refused);
});

test('/healthz names what is wrong while clicks are kept', async () => {
  const site = await startApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, ADMIN_PASSWORD },
    site: { siteUrl: 'https://drive.example', exampleKeys: ['operator'] },
    parts: {
      faultOf: (job) => (job === 'posthog' ? 'The key is not known.' : null),
      freeBytes: async () => 300 * 1024 ** 2,
    },
  });
  await untilReady(site);
  await register(site, 'ana@example.org');
  await execute(site.config, `UPDATE registrations SET mail_due_at = mail_due_at - ${HOUR_MS}`);
  for (const _ of [1, 2]) expect(await click(site, makeBody())).toBe(200);
  await execute(site.config, `UPDATE posthog_outbox SET queued_at = queued_at - ${HOUR_MS}`);
  const reasons = [
    expect.stringContaining("example's operator"),
    'PostHog is behind. Events wait: 2, the oldest for 60 minutes. The key is not known.',
    'Mails wait: 1, the oldest for 60 minutes. The log says why.',
    'The disk of DATA_DIR has 300 MB left. Free some space.',
  ];
  expect(await asOperator(site)).toEqual([200, { status: 'ready', reasons }]);
});

const click = async (site: Site, body: Record<string, unknown>) =>
  (await site.postClick(body)).statusCode;

test('the metrics count clicks by outcome, commits and what browsers dropped', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  const body = makeBody({ id: randomUUIDv7(), dropped: 3 });
  expect(await click(site, body)).toBe(200);
  expect(await click(site, body)).toBe(200);
  expect(await click(site, makeBody())).toBe(200);
  expect(await click(site, { event: 7 })).toBe(400);
  const series = await scrape(site);
  expect(series).toMatchObject({
    'site_clicks_total{outcome="logged"}': 2,
    'site_clicks_total{outcome="duplicate"}': 1,
    'site_clicks_total{outcome="refused"}': 1,
    'site_clicks_total{outcome="failed"}': 0,
    site_clicks_dropped_by_browsers_total: 3,
    site_commit_duration_seconds_count: 3,
    'site_posthog_events_total{verdict="refused"}': 0,
    site_mails_waiting: 0,
    site_ready: 1,
  });
  expect(series.site_data_free_bytes).toBeGreaterThan(0);
  expect(series.process_resident_memory_bytes).toBeGreaterThan(0);
  expect(Object.keys(series).filter((name) => name.startsWith('site_standby'))).toEqual([]);
});

test.each(['/metrics', '/report', '/report.csv'])(
  '%s needs the password; tries have a limit, and no answer is cached; without ADMIN_PASSWORD there is no such page',
  async (url) => {
    const { app } = await startApp({ env: { ADMIN_PASSWORD } });
    const read = (headers = {}) => app.inject({ url, headers });
    const right = await read(withPassword(ADMIN_PASSWORD));
    expect([right.statusCode, right.headers['cache-control']]).toEqual([200, 'no-store']);
    const without = await read();
    expect(without.statusCode).toBe(401);
    expect(without.headers).toMatchObject({
      'www-authenticate': expect.stringMatching(/^Basic /),
      'cache-control': 'no-store',
    });
    const statuses = [];
    for (let n = 0; n < 200; n += 1) statuses.push((await read(withPassword('wrong'))).statusCode);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect((await read(withPassword(ADMIN_PASSWORD))).statusCode).toBe(429);
    const off = await startApp();
    expect((await off.app.inject(url)).statusCode).toBe(404);
  },
);
