/** GET /metrics through the real app. */
import { expect, test } from 'vitest';
import { startDown } from '../../helpers/server/down-database.ts';
import { ADMIN_PASSWORD, scrape, withPassword } from '../../helpers/server/scrape.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

type Site = Pick<Awaited<ReturnType<typeof startApp>>, 'app'>;

const click = async ({ app }: Site, payload: Record<string, unknown>) =>
  (await app.inject({ method: 'POST', url: '/api/log-cta', payload })).statusCode;
const ID = '01a203fd-f690-7979-be2a-4270fe3e6479';

test('the metrics count clicks by outcome, requests, commits and what browsers dropped', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD } });
  const body = makeBody({ id: ID, dropped: 3 });
  expect(await click(site, body)).toBe(200);
  expect(await click(site, body)).toBe(200);
  expect(await click(site, makeBody())).toBe(200);
  expect(await click(site, { event: 7 })).toBe(400);
  await site.app.inject({ method: 'HEAD', url: '/livez' });
  const series = await scrape(site);
  const route = 'route="POST /api/log-cta"';
  expect(series).toMatchObject({
    'site_clicks_total{outcome="logged"}': 2,
    'site_clicks_total{outcome="duplicate"}': 1,
    'site_clicks_total{outcome="refused"}': 1,
    'site_clicks_total{outcome="failed"}': 0,
    site_clicks_dropped_by_browsers_total: 3,
    [`site_http_request_duration_seconds_count{${route},status="2xx"}`]: 3,
    [`site_http_request_duration_seconds_bucket{le="+Inf",${route},status="2xx"}`]: 3,
    [`site_http_request_duration_seconds_count{${route},status="4xx"}`]: 1,
    site_commit_duration_seconds_count: 3,
    'site_posthog_events_total{verdict="refused"}': 0,
    site_mails_waiting: 0,
    site_ready: 1,
  });
  expect(series.site_data_free_bytes).toBeGreaterThan(0);
  expect(series.process_resident_memory_bytes).toBeGreaterThan(0);
  expect(Object.keys(series).filter((name) => name.startsWith('site_standby'))).toEqual([]);
});

test('a server without its database says so, and counts the clicks that it cannot keep', async () => {
  const site = await startDown({ ADMIN_PASSWORD });
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

test('the metrics need the password; tries have a limit, and no answer is cached', async () => {
  const { app } = await startApp({ env: { ADMIN_PASSWORD } });
  const ask = (headers = {}) => app.inject({ url: '/metrics', headers });
  const right = await ask(withPassword(ADMIN_PASSWORD));
  expect([right.statusCode, right.headers['cache-control']]).toEqual([200, 'no-store']);
  const without = await ask();
  expect(without.statusCode).toBe(401);
  expect(without.headers).toMatchObject({
    'www-authenticate': expect.stringMatching(/^Basic /),
    'cache-control': 'no-store',
  });
  const statuses = [];
  for (let n = 0; n < 200; n += 1) statuses.push((await ask(withPassword('wrong'))).statusCode);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await ask(withPassword(ADMIN_PASSWORD))).statusCode).toBe(429);
});

test('without ADMIN_PASSWORD there is no such page', async () => {
  const { app } = await startApp();
  const answer = await app.inject({ url: '/metrics', headers: withPassword('') });
  expect(answer.statusCode).toBe(404);
});
