/**
 * Every figure of the report, computed a second time from the rows of awkward clicks and visits.
 */
import { describe, expect, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import type { NewClickRow } from '../../../../server/clicks/click.ts';
import { openReader } from '../../../../server/database/open-reader.ts';
import { readFigures } from '../../../../server/report/figures/read-figures.ts';
import { readQuestion } from '../../../../server/report/question.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import type { ViewRow } from '../../../../server/visits/view.ts';
import { seededRandom } from '../../../helpers/run/seeded-random.ts';
import { DATABASES } from '../../../helpers/server/databases.ts';
import { parseCsv } from '../../../helpers/server/parse-csv.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { ADMIN_PASSWORD, withPassword } from '../../../helpers/server/scrape.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

/** The clocks of the first zone, half an hour beside the others, went back on 1 November. */
const NOW = Date.parse('2026-11-08T15:00:00Z');
const DAYS = 10;

/** The key of each ref: the row of the table of links. */
const KEYS: Record<string, string> = {
  'clinic-7': 'clinic-7',
  '*Clinic-7*.': 'clinic-7',
  'clínica "9", sur': 'clínica "9", sur',
  'CLI\u0301NICA "9", SUR': 'clínica "9", sur',
  '=1+1': '1+1',
  'a\x1fb\x1e': 'ab',
  constructor: 'constructor',
  // It names no source.
  '…': '?',
};

/** Draws awkward clicks and visits. */
function makeDraw(random: () => number) {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const oneInTen = () => random() < 0.1;
  const someTime = () => NOW + 6 * HOUR_MS - Math.floor(random() * 17 * DAY_MS);
  const origin = () => ({
    referrer: pick([null, ...Object.keys(KEYS)]),
    utm_source: pick([null, 'newsletter', '', '__proto__']),
    utm_medium: pick([null, 'email']),
    utm_campaign: pick([null, 'november']),
    screen_class: pick([null, 'small', 'large'] as const),
    referring_class: pick([null, 'search', 'direct', 'own'] as const),
    referring_site: pick([null, 'Google', 'clinic.example']),
  });
  return {
    /** The browser's clock, and so the id, may differ from the server's by days. */
    click: (): NewClickRow =>
      clickRow(someTime(), {
        ...origin(),
        event: pick([...CTA_EVENTS, 'unheard_of_cta_click']),
        via: pick(['fetch', 'beacon', 'ping']),
        page_url: pick(['https://a.example/?ref=/es/', 'https://a.example/es/help/?ref=x']),
        is_bot: oneInTen(),
        is_internal: oneInTen(),
        is_private: oneInTen(),
        skewMs: pick([0, -7 * DAY_MS, 20 * HOUR_MS]),
      }),
    visit: (): ViewRow =>
      visitRow(someTime(), {
        ...origin(),
        page: pick(['/', '/help/', '/es/', '/es/help/']),
        is_first: !oneInTen(),
        is_bot: oneInTen(),
        is_internal: oneInTen(),
      }),
  };
}

/** Such as `2026-11-01 11:30:00`, by another way than the report's. */
const localTime = (ms: number, timeZone: string) =>
  new Date(ms).toLocaleString('sv-SE', { timeZone });

const shifted = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

type Keys = Record<string, string>;

/** Robots and the team count nowhere. */
const isCounted = (row: NewClickRow | ViewRow) => !row.is_bot && !row.is_internal;

const NONE = { visits: 0, clicks: 0, rated: 0, visits_before: 0, clicks_before: 0 };
type Counts = typeof NONE;

const isSpanish = (address: string) =>
  new URL(address, 'https://a.example').pathname.startsWith('/es/');

const keysOf = (row: NewClickRow | ViewRow, address: string): Keys => ({
  ref: row.referrer === null ? 'none' : String(KEYS[row.referrer]),
  // Empty: a value that is not kept.
  source: row.utm_source === '' ? '?' : (row.utm_source ?? 'none'),
  medium: row.utm_medium ?? 'none',
  campaign: row.utm_campaign ?? 'none',
  class: row.referring_class ?? 'none',
  site: row.referring_class === 'own' ? 'own' : (row.referring_site ?? 'none'),
  device: row.screen_class ?? 'none',
  language: isSpanish(address) ? 'es' : 'en',
});

/** @returns the figures by table and key */
function countRows(clicks: NewClickRow[], visits: ViewRow[], timeZone: string, filters: Keys) {
  const rows: Record<string, Counts> = {};
  const now = localTime(NOW, timeZone);
  const today = now.slice(0, 10);
  // With a weekday, the period before has the same weekdays.
  const shift = filters.weekday ? 7 * Math.ceil(DAYS / 7) : DAYS;
  const sameTimeBefore = `${shifted(today, -shift)}${now.slice(10)}`;
  const add = (at: number, own: Keys, count: (row: Counts, isNow: boolean) => void) => {
    const local = localTime(at, timeZone);
    const day = local.slice(0, 10);
    const isNow = day > shifted(today, -DAYS) && local < now;
    const isBefore = day > shifted(today, -DAYS - shift) && local < sameTimeBefore;
    if (!isNow && !isBefore) return;
    const weekday = new Date(day).toLocaleString('en', { weekday: 'short', timeZone: 'UTC' });
    const keys: Keys = { ...own, weekday: weekday.toLowerCase() };
    const shown: Keys = { total: '', day: isNow ? day : shifted(day, shift), ...own };
    for (const [table, key] of Object.entries(shown)) {
      // A table whose own field is filtered has all its rows. A visit has no call to action.
      const others = Object.entries(filters).filter(([name]) => name !== table && name in keys);
      if (others.some(([name, value]) => keys[name] !== value)) continue;
      const name = `${table} ${key.replace(/^=/, "'=")}`;
      rows[name] ??= { ...NONE };
      count(rows[name], isNow);
    }
  };
  for (const click of clicks.filter(isCounted)) {
    const event = click.is_known ? click.event : 'unknown';
    const isRated = !click.is_private && click.via !== 'ping';
    const keys = { ...keysOf(click, click.page_url), cta: event };
    add(click.received_at, keys, (row, isNow) => {
      row[isNow ? 'clicks' : 'clicks_before'] += 1;
      if (isNow && isRated) row.rated += 1;
    });
  }
  // A visit is the first of its page views.
  for (const visit of visits.filter((row) => isCounted(row) && row.is_first))
    add(visit.viewed_at, keysOf(visit, visit.page), (row, isNow) => {
      row[isNow ? 'visits' : 'visits_before'] += 1;
    });
  return rows;
}

const rateOf = ({ visits, rated }: Counts) =>
  visits < 30 ? '' : ((100 * rated) / visits).toFixed(1);

describe.each(DATABASES)('the report on $name', ({ makeEnv }) => {
  test('has every figure that the rows give, in each time zone and under each filter', async () => {
    const env = { ...(await makeEnv()), ADMIN_PASSWORD };
    const site = await startApp({ env, now: () => NOW, site: { referrerDetail: 'domain' } });
    const draw = makeDraw(seededRandom());
    const clicks = Array.from({ length: 900 }, draw.click);
    const visits = Array.from({ length: 900 }, draw.visit);
    await storeRows(site.data.db, clicks, visits);
    // Browsers repeat what they do not know to be stored.
    await storeRows(site.data.db, clicks.slice(0, 300), visits.slice(0, 300));
    const cases: [string, Keys][] = [
      ['America/St_Johns', {}],
      ['Asia/Kathmandu', { ref: 'clínica "9", sur', cta: CTA_EVENTS[0] }],
      ['UTC', { ref: 'none', weekday: 'sun' }],
      ['America/St_Johns', { source: '?', language: 'es', device: 'small' }],
      ['UTC', { class: 'search', site: 'Google' }],
    ];
    for (const [tz, filters] of cases) {
      const query = { tz, days: String(DAYS), ...filters };
      const headers = withPassword(ADMIN_PASSWORD);
      const ask = (url: string, more = {}) =>
        site.app.inject({ url, query: { ...query, ...more }, headers });
      const counted = countRows(clicks, visits, tz, filters);
      const expected = Object.entries(counted).map(([name, row]) => {
        const { visits, clicks, visits_before, clicks_before } = row;
        // A visit is no call to action's.
        if (name.startsWith('cta ')) return [name, ['', clicks, '', clicks_before, ''].join()];
        return [name, [visits, clicks, visits_before, clicks_before, rateOf(row)].join()];
      });
      const all = parseCsv((await ask('/report.csv')).body);
      const shown = all.flatMap((row) => {
        const { visits, clicks, visits_before, clicks_before, clicks_per_100_visits } = row;
        const figures = [visits, clicks, visits_before, clicks_before, clicks_per_100_visits];
        // Each day has a line, also without visits.
        if (row.table === 'hour' || (row.table === 'day' && /^[0,]*$/.test(figures.join())))
          return [];
        return [[`${row.table} ${row.key}`, figures.join()]];
      });
      expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected));
      // The hours have the same clicks as the calls to action, unless a weekday is filtered.
      const sumOf = (table: string) =>
        all.filter((row) => row.table === table).reduce((sum, row) => sum + Number(row.clicks), 0);
      if (!filters.weekday && !filters.cta) expect(sumOf('hour')).toBe(sumOf('cta'));
      for (const by of [
        'total',
        'day',
        'ref',
        'source',
        'class',
        'site',
        'cta',
        'device',
        'hour',
      ]) {
        const { body: sql } = await ask('/report/sql', { by });
        const found = await site.data.db.read(sql.slice(0, sql.indexOf(';\n')));
        const hasVisits = by !== 'cta' && by !== 'hour';
        const given = found.map(({ key, visits, clicks }) => {
          const name = by === 'total' ? '' : String(key);
          return `${name.replace(/^=/, "'=")}: ${hasVisits ? visits : ''} ${clicks}`;
        });
        const csv = parseCsv((await ask('/report.csv', { by })).body);
        const lines = csv
          .filter(
            ({ table, visits, clicks }) => table === by && Number(visits) + Number(clicks) > 0,
          )
          .map(({ key, visits, clicks }) => `${key}: ${visits} ${clicks}`);
        expect(given.sort()).toEqual(lines.sort());
      }
      const total = (await ask('/report/sql', { by: 'total' })).body.split(
        '-- The period before:',
      )[1];
      const [before] = await site.data.db.read(String(total).split(';')[0] ?? '');
      const { visits_before, clicks_before } = counted['total '] ?? NONE;
      expect(before).toMatchObject({ visits: visits_before, clicks: clicks_before });
      const { clicks: n, rated, visits: seen } = counted['total '] ?? NONE;
      const behind = parseCsv((await ask('/report.csv', { by: 'clicks' })).body);
      expect(behind).toHaveLength(n);
      expect(behind.filter((row) => row.rated === '1')).toHaveLength(rated);
      expect(parseCsv((await ask('/report.csv', { by: 'visits' })).body)).toHaveLength(seen);
    }
  });

  test('adds up the names after the first 1,000 of a table, so that every table adds up to the totals', async () => {
    const env = { ...(await makeEnv()), ADMIN_PASSWORD };
    const site = await startApp({ env, now: () => NOW, site: { referrerDetail: 'domain' } });
    const names = Array.from({ length: 1100 }, (_, n) => `name-${n}`);
    const at = NOW - HOUR_MS;
    const named = (name: string) => ({ referrer: name, utm_campaign: name });
    await storeRows(
      site.data.db,
      names.slice(50).map((name) => clickRow(at, { ...named(name), referring_site: name })),
      [...names, 'name-7'].map((name) => visitRow(at, named(name))),
    );
    const headers = withPassword(ADMIN_PASSWORD);
    const ask = async (query: Keys) =>
      parseCsv((await site.app.inject({ url: '/report.csv', query, headers })).body);
    const sumOf = (rows: Keys[], name: string) =>
      rows.reduce((sum, row) => sum + Number(row[name]), 0);
    // Names without a click are among the others.
    for (const [by, filters] of [
      ['ref', {}],
      ['campaign', {}],
      ['ref', { ref: 'name-9' }],
      ['campaign', { campaign: 'name-9' }],
    ] as const) {
      const rows = await ask({ by, ...filters });
      const filtered = Object.values(filters);
      expect(rows).toHaveLength(1001 + filtered.length);
      expect([sumOf(rows, 'visits'), sumOf(rows, 'clicks')]).toEqual([1101, 1050]);
      expect(rows.filter(({ key }) => key === 'name-7')).toEqual([]);
      for (const key of filtered)
        expect(rows.find((row) => row.key === key)).toMatchObject({ visits: '1', clicks: '0' });
      const others = rows.find(({ name }) => name === 'All others');
      expect(others).toMatchObject({ visits: String(101 - filtered.length), clicks: '50' });
    }
    const sites = await ask({ by: 'site' });
    expect(sites).toHaveLength(1001);
    expect([sumOf(sites, 'visits'), sumOf(sites, 'clicks')]).toEqual([1101, 1050]);
  });

  test('has figures of one moment, whatever is stored while it reads', async () => {
    const site = await startApp({ env: await makeEnv(), now: () => NOW });
    const { databaseUrls, files } = site.config;
    await storeRows(site.data.db, [clickRow(NOW - 2)], [visitRow(NOW - 2)]);
    const reader = await openReader(databaseUrls.map(String), files.database);
    await reader.freeze();
    const read = () => readFigures(reader, { ...readQuestion({}, 'UTC', NOW), now: NOW });
    const first = await read();
    await storeRows(site.data.db, [clickRow(NOW - 1)], [visitRow(NOW - 1)]);
    expect(await read()).toEqual(first);
    await reader.close();
    expect(first).toMatchObject({ visits: 1, clicks: 1 });
  });
});
