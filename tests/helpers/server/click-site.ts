/** Starts an app that gets clicks, and reads what it keeps of them. */

import { expect } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { pick } from '../../../server/pick.ts';
import { startApp } from './server-app.ts';

/** URL of a click that the browser sends as a beacon. */
export const BEACON = `${LOG_CTA_PATH}?via=beacon`;
/** Headers of a click that the browser sends for the attribute `ping` of a link. */
export const PING = {
  'content-type': 'text/ping',
  'user-agent': 'Mozilla/5.0 (Android) Chrome/156.0',
};

export async function startClickSite(options: Parameters<typeof startApp>[0]) {
  const site = await startApp(options);
  const readCounts = () => site.rows('SELECT event, is_bot, n FROM click_counts WHERE n <> 0');
  const clicks = () => site.rows('SELECT * FROM clicks ORDER BY id');
  return {
    ...site,
    /** Sends a click. @returns status and JSON of the answer */
    async post(body: unknown, headers: Record<string, string> = {}, url = LOG_CTA_PATH) {
      const answer = await site.postClick(body, headers, url);
      return [answer.statusCode, answer.json()];
    },
    /** Returns the rows of all clicks. */
    clicks,
    /** Returns the counters that are not 0, by names such as `hero_cta_click false` (is_bot). */
    counts: async () =>
      Object.fromEntries((await readCounts()).map((row) => [`${row.event} ${row.is_bot}`, row.n])),
    /** Returns the ids of the clicks that wait for PostHog. */
    queue: async () =>
      (await site.rows('SELECT uuid FROM posthog_outbox ORDER BY uuid')).map(({ uuid }) => uuid),
    /** Expects these fields in lines and rows. A line may lack fields that are null. */
    async expectKept(...expected: Record<string, unknown>[]) {
      const partOf = (one: object, i: number) => pick(one, Object.keys(expected[i] ?? {}), null);
      expect(site.lines().map(partOf)).toEqual(expected);
      expect((await clicks()).map(partOf)).toEqual(expected);
    },
  };
}
