/** Starts a site with rows of an hour ago, and requests its report as the team does. */
import type { NewClickRow } from '../../../server/clicks/click.ts';
import { HOUR_MS } from '../../../server/time.ts';
import type { ViewRow } from '../../../server/visits/view.ts';
import { clickRow, storeRows, visitRow } from './rows.ts';
import { ADMIN_PASSWORD, withPassword } from './scrape.ts';
import { startApp } from './server-app.ts';

export const NOW = Date.parse('2026-11-08T15:00:00Z');

/** Makes `n` clicks with a ref. */
export const clicksOf = (ref: string | null, n: number, parts: Partial<NewClickRow> = {}) =>
  Array.from({ length: n }, () => clickRow(NOW - HOUR_MS, { referrer: ref, ...parts }));
export const visitsOf = (referrer: string | null, n: number) =>
  Array.from({ length: n }, () => visitRow(NOW - HOUR_MS, { referrer }));

export async function startSite(
  clicks: NewClickRow[],
  visits: ViewRow[] = [],
  clock = { now: NOW },
  changes: Parameters<typeof startApp>[0] = {},
) {
  const site = await startApp({ env: { ADMIN_PASSWORD }, now: () => clock.now, ...changes });
  await storeRows(site.data.db, clicks, visits);
  const headers = withPassword(ADMIN_PASSWORD);
  const ask = (query = {}, url = '/report') =>
    site.app.inject({ url, query: { tz: 'UTC', ...query }, headers });
  return { ...site, ask };
}

/** Returns the text of a page, with single spaces. */
export const textOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
