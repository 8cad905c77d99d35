/**
 * What the server refuses to strangers is counted, and the log says so without repeating itself.
 */
import { randomUUIDv7 } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test, vi } from 'vitest';
import { VIEW_PATH } from '#contract/limits.ts';
import { MINUTE_MS } from '../../../server/time.ts';
import { browserEvent } from '../../helpers/fakes/browser-event.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { ADMIN_PASSWORD, scrape } from '../../helpers/server/scrape.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

const LIMITED = [
  { method: 'POST', url: '/api/log-cta', payload: makeBody() },
  { method: 'POST', url: '/api/register' },
  { method: 'POST', url: '/k/e/' },
  { method: 'GET', url: '/api/stats' },
  { method: 'GET', url: '/r/clinic-7' },
  { method: 'GET', url: '/none' },
] as const;

const start = () => startApp({ env: { ADMIN_PASSWORD, RATE_LIMIT: '1' } });
const countOf = async (site: Site, reason: string) =>
  (await scrape(site))[`site_refusals_total{reason="${reason}"}`];
const linesOf = (site: Site, reason: string) =>
  site.logged().flatMap((line) => (line.reason === reason ? [line.times] : []));

/** Events get 503, after which posthog-js sends them again. */
const OVER = [429, 503];

test('each request over a limit is counted at every route, and all have one line a minute, with their number', async () => {
  const site = await start();
  let limited = 0;
  const askAll = async () => {
    for (const request of LIMITED)
      for (let n = 0; n < 8; n += 1)
        if (OVER.includes((await site.app.inject(request)).statusCode)) limited += 1;
  };
  await askAll();
  expect(limited).toBeGreaterThan(LIMITED.length * 2);
  expect(await countOf(site, 'rate_limit')).toBe(limited);
  expect(linesOf(site, 'rate_limit')).toEqual([1]);
  vi.setSystemTime(Date.now() + MINUTE_MS);
  const before = limited;
  await askAll();
  expect(await countOf(site, 'rate_limit')).toBe(limited);
  expect(linesOf(site, 'rate_limit')).toEqual([1, before]);
});

test('each request over a budget is counted, and has a line', async () => {
  // One page view a minute, and ten events.
  const site = await startApp({ env: { ADMIN_PASSWORD, RATE_LIMIT: '5' } });
  for (const expected of [200, 503, 503, 503])
    expect((await site.postClick(pageView(), {}, VIEW_PATH)).statusCode).toBe(expected);
  const batch = Array.from({ length: 11 }, () => browserEvent());
  expect((await site.postEvents({ api_key: 'phc_test', batch })).statusCode).toBe(503);
  expect(await countOf(site, 'budget')).toBe(4);
  expect(linesOf(site, 'budget')).toEqual([1]);
});

test('a wrong or ended address of a clinic is counted, and its token is in no line', async () => {
  const site = await start();
  for (const token of ['guess', randomUUIDv7(), 'x'.repeat(90)])
    await site.app.inject(`/report/shared/${token}`);
  expect(await countOf(site, 'share_token')).toBe(3);
  expect(linesOf(site, 'share_token')).toEqual([1]);
  expect(JSON.stringify(site.logged())).not.toContain('guess');
});

test('a connection that the server closes at its bound is counted', async () => {
  const site = await start();
  await site.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = site.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100));
  await text(socket).catch(() => '');
  expect(await countOf(site, 'connection')).toBeGreaterThan(0);
  expect(linesOf(site, 'connection')).toEqual([1]);
});
