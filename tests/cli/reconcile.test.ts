/** `clicks reconcile`: the ledger against the receipts and PostHog's own list, exact after everything that a stand-in can do. */
import { randomUUIDv7 } from 'node:crypto';
import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { listQuery } from '../../server/posthog/reconcile/clicks-at-posthog.ts';
import { parseHogql } from '../dashboards/hogql.ts';
import { browserEvent } from '../helpers/fakes/browser-event.ts';
import { answerList } from '../helpers/fakes/posthog-api/answer-list.ts';
import { KEY, PROJECT, startPosthogApi } from '../helpers/fakes/posthog-api/posthog-api.ts';
import { loginPage, overQuota, unavailable } from '../helpers/fakes/posthog-api/refusals.ts';
import type { Step } from '../helpers/fakes/posthog-capture/script.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../helpers/server/fast-pace.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

async function startApi() {
  const api = await startPosthogApi();
  onTestFinished(api.close);
  return api;
}

/** Makes clicks, and lets the server send them one after the other, with these answers. */
async function startSite(steps: Step[]) {
  const posthog = await testCapture();
  const api = await startApi();
  api.settings.query = (hogql) => answerList(hogql, posthog.events);
  const dataDir = makeDataDir();
  const env = { POSTHOG_HOST: posthog.url };
  const pace = { ...FAST_PACE, batch: 1, firstDelayMs: 1e9, longestDelayMs: 1e9 };
  const site = await startApp({ env, dataDir, pace });
  posthog.play(...steps);
  const reconcile = (args: string[] = [], withKey = true) =>
    runCli('clicks.ts', ['reconcile', ...args], {
      DATA_DIR: dataDir,
      POSTHOG_HOST: posthog.url,
      ...(withKey && {
        POSTHOG_APP_HOST: api.url,
        POSTHOG_PERSONAL_KEY: KEY,
        POSTHOG_PROJECT_ID: String(PROJECT),
      }),
    });
  return { posthog, api, site, reconcile };
}

async function click({ app }: Site, parts: object = {}, headers = {}): Promise<string> {
  const id = randomUUIDv7();
  const payload = makeBody({ id, visit_id: id, ...parts });
  await app.inject({ method: 'POST', url: '/api/log-cta', payload, headers });
  return id;
}

const verdictOf = async ({ posthog }: Site, id: string) =>
  (await posthog?.receipts.find([id]))?.get(id)?.verdict;

/** Reads the table. */
const rowsOf = (out: string) =>
  Object.fromEntries(
    [...out.matchAll(/^ *([A-Za-z' ]+?) {2,}([\d,]+)(?: {2}(.*))?$/gm)].map(
      ([, name = '', n, why]) => [
        name,
        why === undefined ? Number(n?.replace(',', '')) : [Number(n?.replace(',', '')), why],
      ],
    ),
  );

test('each click is in one group, whatever PostHog did with it', async () => {
  const { site, posthog, reconcile } = await startSite([
    {},
    { verdicts: ['drop:event_too_big'] },
    { copies: 2 },
    { ending: 'cut' },
    {},
    { status: 429, tag: 'rate_limited', headers: { 'retry-after': '0' } },
    {},
    { status: 402, tag: 'billing_limit_exceeded' },
    {},
  ]);
  // One after the other, so that the script's answers are theirs.
  for (let n = 0; n < 6; n += 1) {
    const id = await click(site);
    await expect.poll(() => verdictOf(site, id)).toMatch(/ok|drop/);
  }
  await click(site, {}, { 'sec-gpc': '1' });
  await click(site, { user_agent: 'Googlebot/2.1' });
  posthog.world.isOverQuota = true;
  const late = await click(site);
  await expect.poll(() => verdictOf(site, late)).toBe('retry');
  await site.close();
  const made = await reconcile();
  expect([made.code, made.err]).toEqual([0, '']);
  const table = {
    ...{ log: 9, delivered: 5, waiting: [1, 'billing_limit_exceeded 1'], private: 1 },
    ...{ 'perhaps private': 0, robots: 1, 'unknown calls to action': 0 },
    ...{ dropped: [1, 'event_too_big 1'], unknown: 0 },
    ...{
      "PostHog's list": 5,
      'in the log': 5,
      'from browsers': [0, 'without a line in these ledgers'],
    },
    unexplained: 0,
    'further copies': [2, 'PostHog will merge them'],
  };
  expect(rowsOf(made.out)).toEqual(table);

  const without = await reconcile([], false);
  expect(without.code).toBe(0);
  expect(rowsOf(without.out)).toMatchObject({ log: 9, delivered: 5, private: 1, robots: 1 });
  expect(without.out).toContain('For PostHog\u0027s own list set POSTHOG_PERSONAL_KEY');
});

test('a click that PostHog confirmed and lost is unknown, and the exit code says so', async () => {
  const { site, posthog, reconcile } = await startSite([{ copies: 0 }]);
  const id = await click(site);
  await expect.poll(() => verdictOf(site, id)).toBe('ok');
  const fresh = await reconcile();
  expect([fresh.code, rowsOf(fresh.out).waiting]).toEqual([0, [1, 'not_shown_yet 1']]);
  const receipts = site.posthog?.receipts;
  const receipt = (await receipts?.find([id]))?.get(id);
  if (receipt) await receipts?.record([{ ...receipt, at: new Date(0).toISOString() }]);
  await site.close();
  expect(posthog.events).toEqual([]);
  const made = await reconcile(['--list']);
  expect(made.code).toBe(1);
  expect(made.out).toContain(`unknown     ${id}  ok_but_not_shown\n`);
  expect(rowsOf(made.out)).toMatchObject({
    log: 1,
    delivered: 0,
    unknown: [1, 'ok_but_not_shown 1'],
  });
  expect(made.err).toBe('No record explains why PostHog lacks 1 clicks.\n');
});

test('PostHog’s clicks without a line are explained by a browser’s receipt, or not at all', async () => {
  const { site, reconcile } = await startSite([]);
  const [id] = [await click(site)];
  await expect.poll(() => verdictOf(site, id)).toBe('ok');
  const event = browserEvent();
  const payload = { api_key: 'phc_test', batch: [event] };
  await site.app.inject({ method: 'POST', url: '/k/e/', payload });
  await site.close();
  const explained = await reconcile();
  expect(explained.code).toBe(0);
  expect(rowsOf(explained.out)).toMatchObject({
    ...{ log: 1, "PostHog's list": 2, 'in the log': 1 },
    'from browsers': [1, 'without a line in these ledgers'],
  });
  const { ledger, receipts } = site.config.files;
  writeFileSync(ledger, '');
  renameSync(receipts, `${receipts}.away`);
  const made = await reconcile();
  expect(made.code).toBe(1);
  expect(made.err).toContain('PostHog has 2 clicks with neither a line nor a receipt');
});

test('a long list comes in pages, and a period bounds both sides', async () => {
  const { site, posthog, reconcile } = await startSite([]);
  const timestamp = '2026-01-31T09:30:00.000Z';
  const ids = [await click(site), await click(site, { timestamp: '2026-02-01T00:00:00.000Z' })];
  for (const id of ids) await expect.poll(() => verdictOf(site, id)).toBe('ok');
  await site.close();
  const [line = ''] = readFileSync(site.config.files.ledger, 'utf8').split('\n');
  const stored = posthog.events[0];
  for (let n = 0; n < 20_500; n += 1) {
    const id = randomUUIDv7();
    appendFileSync(site.config.files.ledger, `${JSON.stringify({ ...JSON.parse(line), id })}\n`);
    if (stored) posthog.events.push({ ...stored, uuid: id, timestamp });
  }
  const made = await reconcile(['--since', '2026-01-31', '--until', '2026-02-01']);
  expect([made.code, made.err]).toEqual([0, '']);
  expect(rowsOf(made.out)).toMatchObject({
    log: 20_501,
    delivered: 20_501,
    "PostHog's list": 20_501,
  });
});

test('what PostHog no longer keeps has a reason', async () => {
  const { site, posthog, api, reconcile } = await startSite([]);
  const id = await click(site, { timestamp: '2024-01-31T09:30:00.000Z' });
  await expect.poll(() => verdictOf(site, id)).toBe('ok');
  await site.close();
  posthog.events.length = 0;
  api.settings.project = { events_retention_enforced: true, event_retention_months: 12 };
  const made = await reconcile();
  expect([made.code, rowsOf(made.out).dropped]).toEqual([0, [1, 'older_than_posthog_keeps 1']]);
});

test.each([
  ['over its quota', overQuota, /quota does not allow it/],
  ['behind a login page', loginPage, /did not answer as PostHog does/],
  ['without its list', { status: 200, body: { results: null } }, /is not as expected/],
  ['with a list that does not go on', { status: 200, body: { results: [], hasMore: true } }, /cut/],
])('PostHog %s: no figures, one sentence, exit code 1', async (_name, act, message) => {
  const { api, site, reconcile } = await startSite([]);
  await click(site);
  api.failures.push({ method: 'POST', path: /query/, act });
  const made = await reconcile();
  expect([made.code, made.out]).toEqual([1, '']);
  expect(made.err).toMatch(message);
});

test('a fault of PostHog that passes is repeated, and a cached list is reported', async () => {
  const { api, site, posthog, reconcile } = await startSite([]);
  const id = await click(site);
  await expect.poll(() => verdictOf(site, id)).toBe('ok');
  api.failures.push({ method: 'POST', path: /query/, act: unavailable(503) });
  api.settings.query = (hogql) => ({ ...answerList(hogql, posthog.events), is_cached: true });
  const made = await reconcile();
  expect([made.code, rowsOf(made.out).delivered]).toEqual([0, 1]);
  expect(made.err).toContain('PostHog answered from its cache');
});

test('the query is HogQL', () => {
  const period = { from: 0, to: 1 };
  for (const after of [
    null,
    ['019c1234-5678-7abc-8def-000000000000', 7, 1] as [string, number, number],
  ])
    expect(() => parseHogql(listQuery(period, after, 10))).not.toThrow();
});
