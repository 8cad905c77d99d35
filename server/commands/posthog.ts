/**
 * `site posthog`: `check` compares the table of clicks with PostHog, `resend` queues clicks once
 * more, `dashboard` makes a dashboard at PostHog.
 */
import { z } from 'zod';
import { readBuiltSite } from '../built-site.ts';
import { clicksKeptSince, identifiedSince } from '../clicks/id-time.ts';
import { resendClicks } from '../clicks/resend-clicks.ts';
import { apiHostOf, openApi } from '../posthog/management/api.ts';
import { type CheckedDay, checkDay } from '../posthog/management/check-clicks.ts';
import { openDashboard } from '../posthog/management/dashboard.ts';
import { readSettings } from '../settings.ts';
import { DAY_MS, dayOf } from '../time.ts';
import { print, settingsOfDatabase, withDatabase, withReader } from './common.ts';

/** Headings of the printed table. A column is as wide as its heading. */
const HEADINGS = [
  'day       ',
  'table',
  'PostHog',
  'waiting',
  'refused',
  'PostHog lacks',
  'table lacks',
];

/**
 * Compares each day until today, and prints the counts and the missing clicks.
 *
 * @param days number of days, today included (UTC)
 * @throws (rejects with) an Error if the table or PostHog lacks a click
 */
export async function check(days: number, build: string): Promise<void> {
  const site = readSite(build);
  const { clickRetentionDays: kept } = site;
  const today = Date.now() - (Date.now() % DAY_MS);
  const first = today - (days - 1) * DAY_MS;
  // Days whose rows retention has deleted are left out: PostHog would seem to have too many clicks.
  const since = kept > 0 ? Math.max(first, clicksKeptSince(kept, today + DAY_MS)) : first;
  const settings = settingsOfDatabase();
  const ask = openApi(site, settings);
  const checked: CheckedDay[] = [];
  printCells(HEADINGS);
  await withReader(settings, async (reader) => {
    for (let day = since; day <= today; day += DAY_MS) {
      const result = await checkDay(reader, ask, day);
      const { posthogLacks, tableLacks, ...counts } = result;
      printCells([...Object.values(counts), posthogLacks.length, tableLacks.length]);
      checked.push(result);
    }
  });
  const advice: string[] = [];
  const lacking = checked.find(({ posthogLacks }) => posthogLacks.length > 0);
  if (lacking)
    advice.push(`To send them again: npm run -s site -- posthog resend --since ${lacking.day}`);
  const tableLacks = checked.flatMap((result) => result.tableLacks);
  if (tableLacks.length > 0)
    advice.push('The table lacks clicks that PostHog has. Import the log that has them.');
  const posthogLacks = checked.flatMap((result) => result.posthogLacks);
  if (posthogLacks.length > 0) print(['PostHog lacks:', ...posthogLacks].join('\n  '));
  if (tableLacks.length > 0) print(['The table lacks:', ...tableLacks].join('\n  '));
  if (advice.length > 0) throw new Error(advice.join('\n'));
}

/** Prints a row of the table, right-aligned. */
const printCells = (cells: (string | number)[]) =>
  print(cells.map((cell, i) => String(cell).padStart(HEADINGS[i]?.length ?? 0)).join('  '));

/**
 * Queues clicks for PostHog once more. The running server sends them.
 *
 * @param since only clicks that the server received from then on, in milliseconds since 1970
 */
export async function resend(since: number, build: string): Promise<void> {
  const { personalDataDays } = readSite(build);
  // Older clicks have lost their visit ids. PostHog would not recognise them, and count them twice.
  const first = Math.max(since, identifiedSince(personalDataDays, Date.now()));
  const queued = await withDatabase((db) => resendClicks(db, first));
  if (first > since)
    print(`Clicks before ${dayOf(first)} have no visit id any more, and are left out.`);
  print(`Clicks queued for PostHog: ${queued}. The running server sends them.`);
}

/**
 * PostHog's answer to a new insight. The request's field `dashboards` is deprecated, but the only
 * way to put an insight on a dashboard. `dashboard_tiles`, its successor, can only be read: it
 * shows whether PostHog still obeys the deprecated field.
 */
const insightSchema = z.object({ dashboard_tiles: z.array(z.object({ dashboard_id: z.int() })) });

/** Makes the dashboard, or only the tiles that it lacks, and prints its address. */
export async function dashboard(build: string): Promise<void> {
  const site = readSite(build);
  const settings = readSettings(process.env);
  const ask = openApi(site, settings);
  const { id, lacking } = await openDashboard(ask, site);
  for (const tile of lacking) {
    const { dashboard_tiles: placed } = await ask('insights/', insightSchema, {
      ...tile,
      dashboards: [id],
    });
    if (!placed.some(({ dashboard_id }) => dashboard_id === id))
      throw new Error(
        `PostHog made “${tile.name}”, but did not put it on the dashboard. Add it there by hand, or update this site.`,
      );
    print(`Made the tile: ${tile.name}`);
  }
  if (lacking.length === 0)
    print('PostHog has the dashboard with all of its tiles. Nothing was made.');
  print(`${apiHostOf(site)}/project/${settings.POSTHOG_PROJECT_ID}/dashboard/${id}`);
}

/** Reads the build. @throws an Error if it has no key of PostHog */
function readSite(build: string) {
  const site = readBuiltSite(build);
  if (site.posthogKey !== null) return site;
  throw new Error('site.json has no posthogKey. Set it, and build again.');
}
