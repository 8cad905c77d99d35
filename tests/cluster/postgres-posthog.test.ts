/** Several servers that share receipts: PostHog gets each event once. */
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { browserEvent } from '../helpers/fakes/browser-event.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../helpers/server/fast-pace.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const KEYS = `k1:${randomBytes(32).toString('base64')}`;

async function startServers() {
  const posthog = await testCapture();
  const env = {
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: KEYS,
    POSTHOG_HOST: posthog.url,
  };
  const sites = await Promise.all([1, 2].map(() => startApp({ env, pace: FAST_PACE })));
  return { posthog, sites };
}

type Site = Awaited<ReturnType<typeof startApp>>;

const click = ({ app }: Site, id: string) =>
  app.inject({
    method: 'POST',
    url: '/api/log-cta',
    payload: makeBody({ id, visit_id: id, timestamp: '2026-11-22T10:00:00.000Z' }),
  });
const send = ({ app }: Site, event: object) =>
  app.inject({ method: 'POST', url: '/k/e/', payload: { api_key: 'phc_test', batch: [event] } });

test('each server sends its own clicks, and none that a browser has sent through another server', async () => {
  const { posthog, sites } = await startServers();
  const [a, b] = sites as [Site, Site];
  const ids: string[] = [];
  for (let n = 0; n < 20; n += 1) {
    const id = randomUUIDv7();
    ids.push(id);
    const [one, other] = n % 2 ? [a, b] : [b, a];
    await Promise.all([click(one, id), send(other, browserEvent(id, { visit_id: id }))]);
  }
  const own = [randomUUIDv7(), randomUUIDv7()];
  await Promise.all([click(a, own[0] ?? ''), click(b, own[1] ?? '')]);
  await expect.poll(() => posthog.merged().length).toBe(22);
  await expect.poll(async () => (await a.posthog?.receipts.waitingSize())?.events).toBe(0);
  expect(posthog.events.map(({ uuid }) => uuid).sort()).toEqual([...ids, ...own].sort());
});

test('an event that a browser repeats to another server reaches PostHog once, also during a fault', async () => {
  const { posthog, sites } = await startServers();
  const events = Array.from({ length: 20 }, () => ({ ...browserEvent(), event: '$pageview' }));
  for (const [n, event] of events.entries()) {
    posthog.world.isDown = n > 5 && n < 15;
    const answers = await Promise.all(sites.map((site) => send(site, event)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  }
  await expect.poll(() => posthog.merged().length).toBe(20);
  await expect.poll(async () => (await sites[0]?.posthog?.receipts.waitingSize())?.events).toBe(0);
  expect(posthog.events).toHaveLength(20);
});

test('without PostgreSQL browsers’ events still reach PostHog, and their receipts are written later', async () => {
  const { posthog, sites } = await startServers();
  const [site] = sites as [Site];
  await postgres.stop();
  const event = { ...browserEvent(), event: '$pageview' };
  expect((await send(site, event)).statusCode).toBe(200);
  expect(posthog.events).toHaveLength(1);
  expect((await site.app.inject('/healthz')).json().status).not.toBe('ready');
  await postgres.restart();
  const receipt = async () =>
    (await site.posthog?.receipts.find([event.uuid]).catch(() => null))?.size;
  await expect.poll(receipt).toBe(1);
  expect(posthog.events).toHaveLength(1);
});
