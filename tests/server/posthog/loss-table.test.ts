/** Lost and double clicks at PostHog, over repeated tries of each way in which a visitor's browser or a server fails. */
import { randomUUIDv7 } from 'node:crypto';
import { expect, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { browserEvent } from '../../helpers/fakes/browser-event.ts';
import { testCapture } from '../../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../../helpers/server/fast-pace.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

/** Of each way. */
const TRIES = 20;
const TIMESTAMP = '2026-11-22T10:00:00.000Z';

async function startSite() {
  const posthog = await testCapture();
  const { app, posthog: parts } = await startApp({
    env: { POSTHOG_HOST: posthog.url, RATE_LIMIT_CLICKS: '0' },
    pace: FAST_PACE,
  });
  const post = async (url: string, payload: object, headers: Record<string, string> = {}) => {
    const answer = await app.inject({ method: 'POST', url, payload, headers });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };
  return {
    posthog,
    parts,
    click: (id: string, visit_id: string) =>
      post(LOG_CTA_PATH, makeBody({ id, visit_id, timestamp: TIMESTAMP })),
    async ping() {
      const query = new URLSearchParams({ event: 'hero_cta_click', referrer: 'clinic-7' });
      const url = `${LOG_CTA_PATH}?${query}`;
      const headers = { 'content-type': 'text/ping', 'ping-from': 'https://site.example/' };
      const answer = await app.inject({ method: 'POST', url, payload: 'PING', headers });
      return String(answer.json().id);
    },
    send: (event: object) => post('/k/e/', { api_key: 'phc_test', batch: [event] }),
  };
}

type Site = Awaited<ReturnType<typeof startSite>>;

/** One visit: what reaches our server. @returns the ids that PostHog must have, once each */
type Visit = (site: Site, n: number) => Promise<string[]>;

const pageview = (visit_id: string) => ({
  ...browserEvent(undefined, { visit_id }),
  event: '$pageview',
});
const clickEvent = (id: string, visit_id: string) => browserEvent(id, { visit_id });

/** Everything arrives. */
const wholeVisit: Visit = async (site) => {
  const [id, visit] = [randomUUIDv7(), randomUUIDv7()];
  const view = pageview(visit);
  await site.send(view);
  await Promise.all([site.click(id, visit), site.send(clickEvent(id, visit))]);
  return [view.uuid, id];
};

const ways: Record<string, Visit> = {
  'nothing fails': wholeVisit,
  'the browser has no script: only the ping arrives': async (site) => [await site.ping()],
  'the script for PostHog is blocked: only the click arrives': async (site) => {
    const id = randomUUIDv7();
    await site.click(id, randomUUIDv7());
    return [id];
  },
  'a click’s event comes after the server has sent it': async (site) => {
    const [id, visit] = [randomUUIDv7(), randomUUIDv7()];
    await site.click(id, visit);
    await expect.poll(() => site.posthog.events.some(({ uuid }) => uuid === id)).toBe(true);
    await site.send(clickEvent(id, visit));
    return [id];
  },
  'PostHog is down for a while': (site, n) => {
    site.posthog.world.isDown = n > 2 && n < TRIES - 2;
    return wholeVisit(site, n);
  },
  'the project is over its quota for a while': (site, n) => {
    site.posthog.world.isOverQuota = n > 2 && n < TRIES - 2;
    return wholeVisit(site, n);
  },
};

test.each(Object.entries(ways))('%s: 0 lost, 0 double', async (_name, visit) => {
  const site = await startSite();
  const expected: string[] = [];
  for (let n = 0; n < TRIES; n += 1) expected.push(...(await visit(site, n)));
  const { posthog } = site;
  await expect.poll(() => posthog.merged().length).toBe(expected.length);
  await expect.poll(async () => (await site.parts?.receipts.waitingSize())?.events).toBe(0);
  expect(posthog.events.map(({ uuid }) => uuid).sort()).toEqual(expected.sort());
});
