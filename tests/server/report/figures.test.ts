/** Every figure of the report, computed a second time from the rows of awkward clicks and visits. */
import { describe, expect, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { parseCsv } from '../../helpers/server/parse-csv.ts';
import {
  type Click,
  clickRow,
  storeRows,
  type Visit,
  visitRow,
} from '../../helpers/server/rows.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The clocks of the first zone, half an hour beside the others, went back on 1 November. */
const NOW = Date.parse('2026-11-08T15:00:00Z');
const DAYS = 7;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const someTime = () => NOW + 6 * 60 * 60 * 1000 - Math.floor(Math.random() * 17 * DAY_MS);
const origin = () => ({
  referrer: pick([null, 'clinic-7', 'clínica "9", sur', '=1+1', '__proto__', 'a\x1fb', 'a\x1eb']),
  utm_source: pick([null, 'newsletter']),
  utm_medium: pick([null, 'email']),
  utm_campaign: pick([null, 'november']),
  screen_class: pick([null, 'small', 'large'] as const),
});

/** The browser's clock, and so the id, may differ from the server's by days. */
const someClick = (): Click =>
  clickRow(someTime(), {
    ...{ ...origin(), referring_domain: pick([null, 'search', 'direct']) },
    event: pick([...CTA_EVENTS, 'unheard_of_cta_click']),
    via: pick(['fetch', 'beacon', 'ping']),
    is_bot: Math.random() < 0.1,
    is_private: Math.random() < 0.1,
    skewMs: pick([0, -7 * DAY_MS, 20 * 60 * 60 * 1000]),
  });

const someVisit = (): Visit =>
  visitRow(someTime(), {
    ...{ ...origin(), referring_class: pick([null, 'search', 'direct']) },
    is_bot: Math.random() < 0.1,
  });

/** Such as `2026-11-01 11:30:00`, by another way than the report's. */
const localTime = (ms: number, timeZone: string) =>
  new Date(ms).toLocaleString('sv-SE', { timeZone });

const shifted = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

type Filters = { ref?: string; cta?: string };

interface Counts {
  visits: number;
  clicks: number;
  rated: number;
  visits_before: number;
  clicks_before: number;
}

/** @returns the figures by table and key */
function countRows(clicks: Click[], visits: Visit[], timeZone: string, { ref, cta }: Filters) {
  const rows: Record<string, Counts> = {};
  const now = localTime(NOW, timeZone);
  const today = now.slice(0, 10);
  const sameTimeBefore = `${shifted(today, -DAYS)}${now.slice(10)}`;
  const add = (
    at: number,
    keys: Record<string, string>,
    count: (row: Counts, isNow: boolean) => void,
  ) => {
    const local = localTime(at, timeZone);
    const day = local.slice(0, 10);
    const isNow = day > shifted(today, -DAYS) && local < now;
    const isBefore = day > shifted(today, -2 * DAYS) && local < sameTimeBefore;
    if (!isNow && !isBefore) return;
    const shownDay = isNow ? day : shifted(day, DAYS);
    for (const [table, key] of Object.entries({ total: '', day: shownDay, ...keys })) {
      const name = `${table} ${key.replace(/^=/, "'=")}`;
      rows[name] ??= { visits: 0, clicks: 0, rated: 0, visits_before: 0, clicks_before: 0 };
      count(rows[name], isNow);
    }
  };
  const keysOf = (row: Click | Visit, site: string | null) => ({
    // The report's own separator; it loses the text before it.
    ref: row.referrer?.replace('a\x1f', '').replace('a\x1e', '') ?? 'none',
    campaign:
      [row.utm_source, row.utm_medium, row.utm_campaign].filter(Boolean).join(' / ') || 'none',
    site: site ?? 'none',
    screen: row.screen_class ?? 'none',
  });
  const isWanted = (row: Click | Visit) =>
    !row.is_bot && (ref === undefined || (row.referrer ?? 'none') === ref);
  for (const click of clicks.filter(isWanted)) {
    if (cta !== undefined && click.event !== cta) continue;
    const event = click.is_known ? click.event : 'unknown';
    const isRated = !click.is_private && click.via !== 'ping';
    const keys = { ...keysOf(click, click.referring_domain), cta: event };
    add(click.received_at, keys, (row, isNow) => {
      row[isNow ? 'clicks' : 'clicks_before'] += 1;
      if (isNow && isRated) row.rated += 1;
    });
  }
  for (const visit of visits.filter(isWanted))
    add(visit.viewed_at, keysOf(visit, visit.referring_class), (row, isNow) => {
      row[isNow ? 'visits' : 'visits_before'] += 1;
    });
  return rows;
}

const rateOf = ({ visits, rated }: Counts) =>
  visits < 30 ? '' : ((100 * rated) / visits).toFixed(1);

describe.each(DATABASES)('the report on $name', ({ makeEnv }) => {
  test('has every figure that the rows give, in each time zone and under each filter', async () => {
    const env = { ...(await makeEnv()), ADMIN_PASSWORD };
    const site = await startApp({ env, now: () => NOW });
    const clicks = Array.from({ length: 900 }, someClick);
    const visits = Array.from({ length: 900 }, someVisit);
    await storeRows(site.data.db, clicks, visits);
    const cases: [string, Filters][] = [
      ['America/St_Johns', {}],
      ['Asia/Kathmandu', { ref: 'clínica "9", sur', cta: CTA_EVENTS[0] }],
      ['UTC', { ref: 'none' }],
    ];
    for (const [tz, filters] of cases) {
      const query = { tz, days: String(DAYS), ...filters };
      const headers = withPassword(ADMIN_PASSWORD);
      const { body } = await site.app.inject({ url: '/report.csv', query, headers });
      const counted = Object.entries(countRows(clicks, visits, tz, filters));
      const expected = counted.map(([name, row]) => {
        const { visits, clicks, visits_before, clicks_before } = row;
        // A visit is no call to action's.
        if (name.startsWith('cta ')) return [name, ['', clicks, '', clicks_before, ''].join()];
        return [name, [visits, clicks, visits_before, clicks_before, rateOf(row)].join()];
      });
      const shown = parseCsv(body).map((row) => {
        const { visits, clicks, visits_before, clicks_before, clicks_per_100_visits } = row;
        const figures = [visits, clicks, visits_before, clicks_before, clicks_per_100_visits];
        return [`${row.table} ${row.key}`, figures.join()];
      });
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
    }
  });
});
