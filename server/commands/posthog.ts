/** `site posthog`: check compares the table with PostHog, resend sends clicks once more, dashboard makes one at PostHog. */
import { readBuiltSite } from '../built-site.ts';
import { clicksKeptSince } from '../clicks/id-time.ts';
import { apiHostOf, openApi } from '../posthog/api.ts';
import { type CheckedDay, checkDay } from '../posthog/check-clicks.ts';
import { makeDashboard } from '../posthog/dashboard.ts';
import { resendClicks } from '../posthog/outbox.ts';
import { readSettings } from '../settings.ts';
import { settingsOfDatabase, withDatabase, withReader } from './with-database.ts';

type Print = (text: string) => void;

const DAY_MS = 24 * 60 * 60 * 1000;
const COLUMNS = ['table', 'PostHog', 'waiting', 'refused', 'PostHog lacks', 'table lacks'];

/** @throws (rejects with) an Error if one of them lacks a click */
export async function check(days: number, build: string, print: Print): Promise<void> {
  const site = readSite(build);
  const { clickRetentionDays: kept } = site;
  const today = Date.now() - (Date.now() % DAY_MS);
  const first = today - (days - 1) * DAY_MS;
  // The server has deleted older rows.
  const since = kept > 0 ? Math.max(first, clicksKeptSince(kept, today + DAY_MS)) : first;
  print(`day       ${COLUMNS.map((title) => `  ${title}`).join('')}\n`);
  const checked: CheckedDay[] = [];
  const settings = settingsOfDatabase();
  const ask = openApi(site, settings);
  await withReader(settings, async (reader) => {
    for (let day = since; day <= today; day += DAY_MS) {
      const one = await checkDay(reader, ask, day);
      print(lineOf(one));
      checked.push(one);
    }
  });
  const [lacking] = checked.filter(({ posthogLacks }) => posthogLacks.length > 0);
  const posthogLacks = checked.flatMap((one) => one.posthogLacks);
  const tableLacks = checked.flatMap((one) => one.tableLacks);
  print(`${listOf('PostHog lacks', posthogLacks)}${listOf('The table lacks', tableLacks)}`);
  const advice: string[] = [];
  if (lacking)
    advice.push(`To send them again: npm run -s site -- posthog resend --since ${lacking.day}`);
  if (tableLacks.length > 0)
    advice.push('The table lacks clicks that PostHog has. Import the log that has them.');
  if (advice.length > 0) throw new Error(advice.join('\n'));
}

const lineOf = ({ day, ...columns }: CheckedDay): string => {
  const { table, posthog, waiting, refused, posthogLacks, tableLacks } = columns;
  const numbers = [table, posthog, waiting, refused, posthogLacks.length, tableLacks.length];
  return `${day}${numbers.map((n, i) => `  ${String(n).padStart(COLUMNS[i]?.length ?? 0)}`).join('')}\n`;
};

const listOf = (title: string, ids: string[]): string =>
  ids.length > 0 ? `${[`${title}:`, ...ids].join('\n  ')}\n` : '';

/** @param since when the server received the first of the clicks, in milliseconds since 1970 */
export async function resend(since: number, build: string, print: Print): Promise<void> {
  readSite(build);
  const queued = await withDatabase((db) => resendClicks(db, since));
  print(`Clicks queued for PostHog: ${queued}. The running server sends them.\n`);
}

export async function dashboard(build: string, print: Print): Promise<void> {
  const site = readSite(build);
  const settings = readSettings(process.env);
  const made: string[] = [];
  const id = await makeDashboard(openApi(site, settings), site, (name) => {
    made.push(name);
    print(`Made the tile: ${name}\n`);
  });
  if (made.length === 0)
    print('PostHog has the dashboard with all of its tiles. Nothing was made.\n');
  print(`${apiHostOf(site)}/project/${settings.posthogProjectId}/dashboard/${id}\n`);
}

function readSite(build: string) {
  const site = readBuiltSite(build);
  if (site.posthogKey !== null) return site;
  throw new Error('site.json has no posthogKey. Set it, and build again.');
}
