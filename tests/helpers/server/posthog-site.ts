/** The app with the stand-in for PostHog. */
import { v7 } from 'uuid';
import { onTestFinished } from 'vitest';
import { startPosthogCapture } from '../fakes/posthog-capture.ts';
import { runSite } from './run-site.ts';
import { makeBody, startApp } from './server-app.ts';
import { makeDist } from './server-dist.ts';

/** Starts PostHog's stand-in until the end of the test. */
export async function testCapture() {
  const posthog = await startPosthogCapture();
  onTestFinished(posthog.close);
  return posthog;
}

type Options = Parameters<typeof startApp>[0] & {
  /** An earlier site's PostHog. */
  posthog?: Awaited<ReturnType<typeof testCapture>>;
};

/** Starts both until the end of the test. By default, the sender runs by itself. */
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
    /** @returns the click's id, once it is acknowledged */
    async click(parts: Record<string, unknown> = {}, headers: Record<string, string> = {}) {
      const payload = makeBody({ id: v7(), ...parts });
      const { statusCode, body } = await site.postClick(payload, headers);
      if (statusCode > 202) throw new Error(`${statusCode} ${body}`);
      return String(payload.id);
    },
    /** Sends one batch. @returns whether there may be more events */
    send: () => site.step('posthog'),
    /** Sends all that is due. */
    async sendAll() {
      while (await site.step('posthog'));
    },
    /** The ids that PostHog has, the first stored first. */
    arrived: () => capture.merged().map(({ uuid }) => uuid),
    /** Sends all clicks once more. */
    resend: () =>
      runSite(['posthog', 'resend', '--since', '2020-01-01', '--build', makeDist(options.site)], {
        ...env,
        DATA_DIR: site.config.dataDir,
      }),
    outbox: () => site.rows('SELECT * FROM posthog_outbox ORDER BY queued_at, uuid'),
  };
}
