/** Starts the app with a fake PostHog. */
import { v7 } from 'uuid';
import { onTestFinished } from 'vitest';
import { startPosthogCapture } from '../fakes/posthog-capture.ts';
import { runSite } from './run-site.ts';
import { makeBody, startApp } from './server-app.ts';
import { makeDist } from './server-dist.ts';

/** Starts a fake PostHog until the end of the test. */
export async function testCapture() {
  const posthog = await startPosthogCapture();
  onTestFinished(posthog.close);
  return posthog;
}

type Options = Parameters<typeof startApp>[0] & {
  /** The fake of an earlier site, to be used again. */
  posthog?: Awaited<ReturnType<typeof testCapture>>;
};

/** Starts app and fake until the end of the test. By default, the sender runs as a job. */
export async function startPosthogSite({ env = {}, posthog, ...options }: Options = {}) {
  const capture = posthog ?? (await testCapture());
  const site = await startApp({
    jobs: ['posthog'],
    ...options,
    env,
    site: { posthogHost: capture.url, ...options.site },
  });
  return {
    ...site,
    capture,
    /** Sends a click to the app. @returns its id; throws if it is not acknowledged */
    async click(parts: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
      const payload = makeBody({ id: v7(), ...parts });
      const { statusCode, body } = await site.postClick(payload, headers);
      if (statusCode > 202) throw new Error(`${statusCode} ${body}`);
      return String(payload.id);
    },
    /** Runs the sender once, for one batch. @returns whether there may be more events */
    send: () => site.step('posthog'),
    /** Sends all events that are due. */
    async sendAll() {
      while (await site.step('posthog'));
    },
    /** Returns the ids of the events that PostHog has, in the order of their arrival. */
    arrived: () => capture.merged().map(({ uuid }) => uuid),
    /** Runs `site posthog resend` for all clicks. */
    resend: () =>
      runSite(['posthog', 'resend', '--since', '2020-01-01', '--build', makeDist(options.site)], {
        ...env,
        DATA_DIR: site.config.dataDir,
      }),
    outbox: () => site.rows('SELECT * FROM posthog_outbox ORDER BY queued_at, uuid'),
  };
}
