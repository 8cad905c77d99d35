/** The completeness tile of the real app, with stand-ins for both of PostHog's hosts. */

import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { isTrackingEvent } from '../../../../contract/events.ts';
import { GROWTH } from '../../../../dashboards/growth.ts';
import { newId } from '../../../../server/database/new-id.ts';
import { countQuery } from '../../../../server/posthog/dashboard/read-figures.ts';
import { listQuery } from '../../../../server/posthog/reconcile/clicks-at-posthog.ts';
import { namesIn, parseHogql } from '../../../dashboards/hogql.ts';
import { KEY, PROJECT, startPosthogApi } from '../../../helpers/fakes/posthog-api/posthog-api.ts';
import { testCapture } from '../../../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../../../helpers/server/fast-pace.ts';
import { makeBody, startApp } from '../../../helpers/server/server-app.ts';

const MINUTE_MS = 60_000;
const before = (ms: number) => new Date(Date.now() - ms).toISOString();

async function startSite() {
  const events = await testCapture();
  const api = await startPosthogApi();
  onTestFinished(api.close);
  api.store.make('dashboards', { name: 'Growth', tags: ['site:dashboard:growth'] });
  api.store.change('dashboards', 1, { tiles: [{ text: { body: GROWTH.text.body } }] });
  const site = await startApp({
    env: {
      POSTHOG_HOST: events.url,
      POSTHOG_APP_HOST: api.url,
      POSTHOG_PROJECT_ID: String(PROJECT),
      POSTHOG_PERSONAL_KEY: KEY,
    },
    pace: FAST_PACE,
  });
  const click = async (parts: Record<string, unknown> = {}, headers = {}) => {
    const id = newId();
    const payload = makeBody({
      id,
      visit_id: newId(),
      timestamp: before(30 * MINUTE_MS),
      ...parts,
    });
    await site.app.inject({ method: 'POST', url: '/api/log-cta', payload, headers });
    return id;
  };
  const verdictOf = async (id: string) =>
    (await site.posthog?.receipts.find([id]))?.get(id)?.verdict;
  /** PostHog counts as many clicks. */
  const tile = async (count: number | null) => {
    const results = count === null ? [] : [[String(count)]];
    api.results.push({ results, is_cached: count === null });
    for (const { text } of api.store.tiles) if (text) text.body = GROWTH.text.body;
    await site.posthog?.dashboard?.run();
    return api.store.tiles[0]?.text?.body;
  };
  return { ...site, api, events, click, verdictOf, tile };
}

test('the tile counts each click of the log once, and names what PostHog does not have', async () => {
  const { click, verdictOf, events, posthog, tile } = await startSite();
  const taken = [await click(), await click()];
  await click({}, { 'sec-gpc': '1' });
  await click({ user_agent: 'Googlebot/2.1' });
  // PostHog needs some minutes to count, so a click of just now is in no figure; nor is one of last month.
  const young = await click({ timestamp: before(0) });
  const old = await click({ timestamp: before(30 * 24 * 60 * MINUTE_MS) });
  for (const id of [...taken, young, old]) await expect.poll(() => verdictOf(id)).toBe('ok');
  events.world.isDown = true;
  const refused = await click();
  const receipt = { event: 'cta_click', channel: 'ledger', protocol: 'v1' } as const;
  const at = before(0);
  await posthog?.receipts.record([
    { ...receipt, uuid: refused, verdict: 'drop', detail: 'event_too_big', attempts: 1, at },
  ]);
  await click();
  const text = await tile(2);
  expect(text).toContain('**log 6 · PostHog 2 since 20');
  expect(text).toContain(' · 1 private, 1 from robots, 1 waiting, 1 dropped (event too big)**');
  expect(text).toContain("PostHog's own count.");
});

test('the tile shows clicks over the quota, and clicks that PostHog confirmed but does not count', async () => {
  const { click, verdictOf, events, tile, api } = await startSite();
  const taken = await click();
  await expect.poll(() => verdictOf(taken)).toBe('ok');
  events.world.isOverQuota = true;
  const late = await click();
  await expect.poll(() => verdictOf(late)).toBe('retry');
  expect(await tile(0)).toMatch(/log 2 · PostHog 0 .* · 1 over quota, 1 unexplained\*\*/);
  expect(await tile(null)).toMatch(/PostHog 1 .*1 over quota\*\*.*receipts, not its own count/);
  api.keys.set(KEY, ['dashboard:read', 'dashboard:write']);
  expect(await tile(0)).toMatch(/PostHog 1 .*receipts, not its own count/);
});

test('a rotated ledger counts, and its packed copy does not count again', async () => {
  const { click, verdictOf, config, data, tile } = await startSite();
  const id = await click();
  await expect.poll(() => verdictOf(id)).toBe('ok');
  const { ledger } = config.files;
  const text = readFileSync(ledger, 'utf8');
  writeFileSync(`${ledger}.1`, text);
  writeFileSync(`${ledger}.1.gz`, gzipSync(text));
  writeFileSync(ledger, '');
  await data.recorder.reopen();
  expect(await tile(1)).toContain('**log 1 · PostHog 1 ');
});

test('a server with a key and no project does not start, and says what to set', async () => {
  await expect(startApp({ env: { POSTHOG_PERSONAL_KEY: KEY } })).rejects.toThrow(
    /^Set POSTHOG_PROJECT_ID \(/,
  );
});

const PERIOD = { from: Date.parse('2026-11-16'), to: Date.parse('2026-11-22T14:05Z') };
const UUID = '019c1234-5678-7abc-8def-aaaaaaaaaaaa';

test.each([
  ['the tile', countQuery(PERIOD)],
  ['reconcile', listQuery(PERIOD, null, 20_000)],
  ['a further page of reconcile', listQuery(PERIOD, [UUID, PERIOD.from, 1], 20_000)],
])('the query of %s is HogQL, about an event of the plan', (_name, query) => {
  expect(query).toContain("timestamp < toDateTime('2026-11-22 14:05:00', 'UTC')");
  const { events } = namesIn(parseHogql(query));
  expect(events.filter(isTrackingEvent)).toEqual(['cta_click']);
});
