/** Several servers that share receipts: each has its own log, and so its own paragraph in the completeness tile. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { GROWTH } from '../../dashboards/growth.ts';
import { newId } from '../../server/database/new-id.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { KEY, PROJECT, startPosthogApi } from '../helpers/fakes/posthog-api/posthog-api.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../helpers/server/fast-pace.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const HALF_AN_HOUR_MS = 30 * 60_000;

test('the tile has a paragraph for the log of each server', async () => {
  const events = await testCapture();
  const api = await startPosthogApi();
  onTestFinished(api.close);
  api.store.make('dashboards', { name: 'Growth', tags: ['site:dashboard:growth'] });
  api.store.change('dashboards', 1, { tiles: [{ text: { body: GROWTH.text.body } }] });
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    POSTHOG_HOST: events.url,
    POSTHOG_APP_HOST: api.url,
    POSTHOG_PROJECT_ID: String(PROJECT),
    POSTHOG_PERSONAL_KEY: KEY,
  };
  const clicks = [1, 3];
  for (const count of clicks) {
    const { app, posthog } = await startApp({ env, pace: FAST_PACE });
    for (let n = 0; n < count; n += 1) {
      const id = newId();
      const timestamp = new Date(Date.now() - HALF_AN_HOUR_MS).toISOString();
      const payload = makeBody({ id, visit_id: id, timestamp });
      await app.inject({ method: 'POST', url: '/api/log-cta', payload });
      const verdict = async () => (await posthog?.receipts.find([id]))?.get(id)?.verdict;
      await expect.poll(verdict).toBe('ok');
    }
    await posthog?.dashboard?.run();
  }
  const text = api.store.tiles[0]?.text?.body ?? '';
  const found = [...text.matchAll(/Server \w{8}: \*\*log (\d) · PostHog (\d) since/g)];
  expect(found.map(([, log, posthog]) => `${log} ${posthog}`).sort()).toEqual(['1 1', '3 3']);
  // PostHog's own count has the clicks of all servers, so no server asks for it.
  expect(api.requests.filter(({ path }) => path.includes('/query/'))).toEqual([]);
});
