/** Starts an app, sends page views to it, and reads what it keeps of them. */
import { VIEW_PATH } from '#contract/limits.ts';
import { startApp } from './server-app.ts';

export async function startViewSite(options: Parameters<typeof startApp>[0] = {}) {
  const site = await startApp(options);
  return {
    ...site,
    async view(body: unknown, headers: Record<string, string> = {}) {
      const answer = await site.postClick(body, headers, VIEW_PATH);
      return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
    },
    visits: () => site.rows('SELECT * FROM visits'),
    /** Returns the events that wait for PostHog. */
    async waiting() {
      const rows = await site.rows('SELECT event FROM posthog_outbox WHERE event IS NOT NULL');
      return rows.map(({ event }) => JSON.parse(String(event)));
    },
  };
}
