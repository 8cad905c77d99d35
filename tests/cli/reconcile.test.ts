/** `clicks reconcile`: the ledger against the receipts and PostHog's own list, exact after everything that a stand-in can do. */
import { randomUUIDv7 } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { answerList } from '../helpers/fakes/posthog-api/answer-list.ts';
import { KEY, PROJECT, startPosthogApi } from '../helpers/fakes/posthog-api/posthog-api.ts';
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
