/** GET /metrics of the real server process. */
import { expect, test } from 'vitest';
import { newId } from '../../../server/database/new-id.ts';
import { startMetered, sumOf } from '../../helpers/server/scrape.ts';
import { makeBody } from '../../helpers/server/server-app.ts';

const click = (url: string, body: unknown, path = '/api/log-cta') =>
  fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/150.0' },
    body: JSON.stringify(body),
  });

test('counts clicks by event, channel and outcome, and times the ledger and the index', async () => {
  const { url, scrape } = await startMetered();
  const before = await scrape();
  expect(before['site_clicks_total{event="hero_cta_click",via="fetch",outcome="logged"}']).toBe(0);

  const id = newId();
  await click(url, makeBody({ id, dropped: 3 }));
  await click(url, makeBody({ id, dropped: 3 }));
  await click(url, makeBody({ event: 'lower_cta_click' }), '/api/log-cta?via=beacon');
  await click(url, makeBody({ event: 'newer_cta_click' }));
  await click(url, makeBody({ event: 'no click' }));
  expect(await scrape()).toMatchObject({
    'site_clicks_total{event="hero_cta_click",via="fetch",outcome="logged"}': 1,
    'site_clicks_total{event="hero_cta_click",via="fetch",outcome="duplicate"}': 1,
    'site_clicks_total{event="lower_cta_click",via="beacon",outcome="logged"}': 1,
    'site_clicks_total{event="unknown",via="fetch",outcome="logged"}': 1,
    'site_clicks_rejected_total{reason="validation_failed"}': 1,
    site_clicks_dropped_by_browsers_total: 3,
    site_click_group_size_count: 4,
    site_ledger_fsync_seconds_count: 3,
    'site_ledger_write_seconds_bucket{le="+Inf"}': 3,
    site_index_commit_seconds_count: 4,
    site_index_catching_up: 0,
    site_index_lag_bytes: 0,
    'site_http_requests_total{route="POST /api/log-cta",status="200"}': 3,
    'site_http_requests_total{route="POST /api/log-cta",status="202"}': 1,
    'site_http_requests_total{route="POST /api/log-cta",status="400"}': 1,
    'site_http_request_duration_seconds_count{route="POST /api/log-cta"}': 5,
  });
});

test('has the figures of disk, mails, PostHog and process', async () => {
  const { scrape } = await startMetered({ env: { MIN_FREE_MB: '7' } });
  const series = await scrape();
  expect(series).toMatchObject({
    site_data_min_free_bytes: 7 * 1024 * 1024,
    site_overloaded: 0,
    site_overload_refused_total: 0,
    site_click_oldest_wait_seconds: 0,
    site_mails_waiting: 0,
    site_mails_oldest_age_seconds: 0,
    site_mails_refused: 0,
    site_posthog_failing: 0,
    site_posthog_waiting_events: 0,
    site_posthog_forwarder_lag_seconds: 0,
  });
  for (const name of [
    'site_data_free_bytes',
    'process_resident_memory_bytes',
    'process_open_fds',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    expect(series[name], name).toBeDefined();
});

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', 'HEAD'];
const hostilePaths = (n: number) => [
  ...[
    `/secret-${n}`,
    `/r/secret-${n}`,
    `/api/secret-${n}`,
    `/k/secret-${n}`,
    `/assets/secret-${n}`,
  ],
  ...[`/api/log-cta/secret-${n}?via=secret-${n}`, `/%zz-secret-${n}`, `/healthz?secret-${n}`],
];

test('hostile traffic makes few series, and no name that a client chose', async () => {
  const { url, scrape } = await startMetered();
  const attack = async (n: number) => {
    for (const path of hostilePaths(n))
      for (const method of METHODS) await fetch(url + path, { method, redirect: 'manual' });
    const secret = `secret_${n}`;
    await click(url, makeBody({ event: `${secret}_cta_click` }), `/api/log-cta?via=${secret}`);
    await click(url, makeBody({ referrer: secret, campaign: { utm_source: secret } }));
    await click(url, makeBody({ event: secret, dropped: secret }));
  };
  const ours = async () => Object.keys(await scrape()).filter((name) => name.startsWith('site_'));
  await attack(0);
  const first = await ours();
  for (let n = 1; n < 20; n += 1) await attack(n);
  const last = await ours();
  expect(last).toHaveLength(first.length);
  expect(last.length).toBeLessThan(500);
  expect(last.filter((name) => /secret|PROPFIND|zz/.test(name))).toEqual([]);
  expect(sumOf(await scrape(), 'site_clicks_total{event="unknown"')).toBe(20);
});
