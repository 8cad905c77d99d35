/** The real app with stand-ins for both of PostHog's hosts: the one for events and the one for dashboards. */
import { expect, onTestFinished, test } from 'vitest';
import { KEY, PROJECT, startPosthogApi } from '../../../helpers/fakes/posthog-api/posthog-api.ts';
import { testCapture } from '../../../helpers/fakes/posthog-capture/test-capture.ts';
import { makeBody, startApp } from '../../../helpers/server/server-app.ts';

const FAST = { ageMs: 0, pollMs: 5, firstPauseMs: 5, longestPauseMs: 20, quotaPauseMs: 20 };

async function startSite(pace: Parameters<typeof startApp>[0]) {
  const events = await testCapture();
  const dashboards = await startPosthogApi();
  onTestFinished(dashboards.close);
  const site = await startApp({
    env: {
      POSTHOG_HOST: events.url,
      POSTHOG_APP_HOST: dashboards.url,
      POSTHOG_PROJECT_ID: String(PROJECT),
      POSTHOG_PERSONAL_KEY: KEY,
    },
    ...pace,
  });
  const health = async () => (await site.app.inject('/healthz')).json().status;
  /** One click meets the fault; afterwards PostHog takes it. */
  const haveOutage = async () => {
    events.world.isOverQuota = true;
    await site.app.inject({ method: 'POST', url: '/api/log-cta', payload: makeBody() });
    await expect.poll(health).toBe('degraded');
    events.world.isOverQuota = false;
    await expect.poll(health).toBe('ready');
    await site.posthog?.dashboard?.run();
  };
  return { dashboards, haveOutage };
}

test('an outage is marked on the charts when PostHog takes events again', async () => {
  const { dashboards, haveOutage } = await startSite({ pace: { ...FAST, shortestOutageMs: 0 } });
  await haveOutage();
  expect(dashboards.store.annotations).toMatchObject([
    { content: expect.stringContaining('because the project was over its quota') },
  ]);
});

test('a fault of less than a minute is not marked', async () => {
  const { dashboards, haveOutage } = await startSite({ pace: FAST });
  await haveOutage();
  expect(dashboards.store.annotations).toEqual([]);
});
