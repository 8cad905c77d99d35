/** GET /report and /report.csv, and `site report`. */
import { expect, test } from 'vitest';
import { startProcess } from '../../../server/report/figures/read-report.ts';
import { DAY_MS, HOUR_MS } from '../../../server/time.ts';
import { execute } from '../../helpers/server/databases.ts';
import { parseCsv } from '../../helpers/server/parse-csv.ts';
import { formulasIn } from '../../helpers/server/read-as-spreadsheet.ts';
import { register } from '../../helpers/server/registrations.ts';
import { clicksOf, NOW, startSite, textOf, visitsOf } from '../../helpers/server/report-site.ts';
import { clickRow, storeRows, visitRow } from '../../helpers/server/rows.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeFormDist } from '../../helpers/server/server-dist.ts';

test('shows the figures of each link by its name, and a link to the report of it alone', async () => {
  const clicks = [...clicksOf('clinic-7', 24), ...clicksOf(null, 6, { via: 'ping' })];
  const site = await startSite(clicks, [...visitsOf('clinic-7', 60), ...visitsOf(null, 40)]);
  await execute(
    site.config,
    "INSERT INTO links VALUES ('clinic-7', 'clinic-7', 'Bay <Clinic>', 1)",
  );
  const { body, headers } = await site.ask({ days: '7' });
  // It is not framed, runs no script, and does not leak its address.
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'/,
    ),
  });
  const text = textOf(body);
  expect(text).toContain('Nov 2 to 8, 2026, 3:00 pm');
  expect(text).toContain('Visits 100 new from 0');
  expect(text).toContain('Clicks per 100 visits 24.0');
  expect(text).toContain('Bay &lt;Clinic&gt; clinic-7 60 24 40.0 new');
  expect(text).toContain('0 with Global Privacy Control or Do Not Track, 6 by ping');
  expect(text).toContain('Most clicks came on Sunday from 2 to 4 pm.');
  const month = textOf((await site.ask({ weekday: 'sun' })).body);
  expect(month).toContain('compared with the same days 5 weeks before');
  // All of them came on one Sunday.
  expect(month).not.toContain('Most clicks');
  expect(month).toContain('Sun ✓');
  const dates = { from: '2026-11-01', to: '2026-11-30' };
  expect(textOf((await site.ask(dates)).body)).toContain('Nov 1 to 30, 2026, so far ');
  await execute(site.config, "INSERT INTO report_notes VALUES ('n', '2026-11-08', 'Mail')");
  const [, address = ''] = /href="([^"]*ref=clinic-7[^"]*)"/.exec(body) ?? [];
  const query = Object.fromEntries(new URLSearchParams(address.replaceAll('&amp;', '&')));
  expect(textOf((await site.ask(query)).body)).toContain('Visits 60 new');
  await storeRows(site.data.db, clicksOf('clinc-7', 1));
  const today = (await site.ask({ days: '1' })).body;
  expect(textOf(today)).toContain('Not in the list; nearest is clinic-7 clinc-7');
  // The note's flag.
  expect(today).toMatch(/<svg class="fl".*?font-weight="650">1<\/text>/s);
  // The form of the dates keeps a filter as it is, also with characters that the page does not
  // show.
  expect((await site.ask({ class: '\u202e"' })).body).toContain(
    'name="class" value="\u202e&quot;"',
  );
});

const FROM_SITES = [
  ...clicksOf(null, 20, { referring_class: 'search', referring_site: 'Google' }),
  ...clicksOf(null, 5, { referring_class: 'mail', referring_site: 'Gmail' }),
  ...clicksOf(null, 3, { referring_class: 'own' }),
];
const VISITS_FROM_SITES = [
  ...Array.from({ length: 40 }, () =>
    visitRow(NOW - HOUR_MS, { referring_class: 'search', referring_site: 'Google' }),
  ),
  ...Array.from({ length: 30 }, () =>
    visitRow(NOW - HOUR_MS, { referring_class: 'assistant', referring_site: 'ChatGPT' }),
  ),
];

test('groups clicks and visits by the kind of site before them, and by its name if it is kept', async () => {
  const detail = { site: { referrerDetail: 'domain' as const } };
  const site = await startSite(FROM_SITES, VISITS_FROM_SITES, { now: NOW }, detail);
  const kinds = textOf((await site.ask({ by: 'class' })).body);
  expect(kinds).toContain('Search engines 40 20 50.0');
  expect(kinds).toContain('AI assistants 30 0 0.0');
  for (const words of ['Mail 0 5', 'On a later page 0 3']) expect(kinds).toContain(words);
  const { body } = await site.ask({ by: 'site', class: 'search' });
  expect(body).toMatch(/by=site[^>]*aria-current="true">Site</);
  expect(textOf(body)).toMatch(/Kind of site: Search engines .*Google 40 20 50\.0/);
  const named = textOf((await site.ask({ by: 'site', site: 'ChatGPT' })).body);
  expect(named).toContain('Visits 30 new');
  const csv = parseCsv((await site.ask({ by: 'site' }, '/report.csv')).body);
  expect(csv.map(({ key, visits, clicks }) => [key, visits, clicks])).toEqual([
    ['Google', '40', '20'],
    ['Gmail', '0', '5'],
    ['own', '0', '3'],
    ['ChatGPT', '30', '0'],
  ]);
  const { body: shown } = await (await startSite(FROM_SITES, VISITS_FROM_SITES)).ask({
    by: 'site',
  });
  expect(shown).toContain('aria-current="true">Kind of site<');
  expect(shown).not.toContain('>Site<');
});

test('writes changes in percent from large figures, and as a number from small ones', async () => {
  const rows = [
    ['a', 60, 20, '+200%'],
    ['b', 14, 19, '−5'],
    ['c', 96, 100, '−4%'],
    ['d', 3, 0, 'new'],
    // In percent, it would break in a narrow cell.
    ['e', 231, 21, '×11'],
  ] as const;
  const clicks = rows.flatMap(([ref, now, before]) => [
    ...clicksOf(ref, now),
    ...Array.from({ length: before }, () => clickRow(NOW - 8 * DAY_MS, { referrer: ref })),
  ]);
  const { ask } = await startSite(clicks, visitsOf('d', 29));
  const text = textOf((await ask({ days: '7' })).body);
  for (const [ref, now, , change] of rows)
    expect(text).toContain(` ${ref} ${ref === 'd' ? 29 : 0} ${now} – too few visits ${change} `);
});

test('counts registrations where the site has the form, but not under a filter', async () => {
  const site = await startApp({ env: { ADMIN_PASSWORD, DIST_DIR: makeFormDist() } });
  await storeRows(site.data.db, [], [visitRow(Date.now())]);
  await register(site, 'ana@example.org', 'eva@example.org');
  const headers = withPassword(ADMIN_PASSWORD);
  const ask = async (url: string) => (await site.app.inject({ url, headers })).body;
  expect(parseCsv(await ask('/report.csv'))[0]?.registrations).toBe('2');
  expect(textOf(await ask('/report'))).toContain('Registrations 2 new from 0');
  expect(parseCsv(await ask('/report.csv?device=small'))[0]?.registrations).toBe('');
});

test('an error names each wrong field', async () => {
  const site = await startSite([]);
  const { ask } = site;
  const cases: [query: Record<string, string>, message: string][] = [
    [{ days: '0' }, 'days must be a whole number from 1 to 366'],
    [{ days: 'all', tz: 'Atlantis' }, '366\ntz must be a time zone like America/New_York'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from must be a date like 2026-01-31'],
    [{ from: '2026-02-01' }, 'to must be set together with from'],
    [{ weekday: 'someday' }, 'weekday must be one of mon'],
    [{ ref: 'x'.repeat(1000) }, 'ref must have at most'],
  ];
  for (const [query, message] of cases) {
    const answer = await ask(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toContain(message);
  }
  // A browser shows the sentence alone.
  const headers = { ...withPassword(ADMIN_PASSWORD), accept: 'text/html,*/*;q=0.8' };
  const shown = await site.app.inject({ url: '/report?days=0', headers });
  expect(shown.body).toBe('days must be a whole number from 1 to 366');
});

test('dates in the wrong order keep the page with its filter, and say what is wrong', async () => {
  const { ask } = await startSite(clicksOf('a', 3));
  const dates = { from: '2026-11-02', to: '2026-11-01' };
  const { statusCode, body } = await ask({ ...dates, ref: 'a' });
  expect(statusCode).toBe(400);
  expect(body).toContain('<title>Error: Report, ');
  expect(body).toMatch(
    /name="to"[^>]+value="2026-11-01" aria-invalid="true" aria-describedby="fault-to"/,
  );
  expect(body).toContain(
    'id="fault-to">It must be on or after the first day, 366 days in all at most.',
  );
  expect(body).toMatch(/name="from"[^>]+value="2026-11-02".*name="ref" value="a"/s);
  const csv = await ask(dates, '/report.csv');
  expect(csv.json().error.message).toContain('to must be on or after the first day');
});

test('a day has the hours of its clocks, and the period before ends with the day before', async () => {
  const days: [day: string, tz: string, hours: number, clicks: Record<string, string[]>][] = [
    // 2 am is missing on 8 March, and 1 am comes twice on 1 November. In Santiago, 6 September
    // begins at 1 am.
    ['2026-03-08', 'America/New_York', 23, { T01: ['06:59'], T03: ['07:00', '07:30'] }],
    ['2026-11-01', 'America/New_York', 24, { T01: ['05:30', '06:30', '06:31'] }],
    ['2026-09-06', 'America/Santiago', 23, { T01: ['04:00'] }],
  ];
  const times = days.flatMap(([day, , , clicks]) =>
    Object.values(clicks).flatMap((hours) => hours.map((hour) => `${day}T${hour}Z`)),
  );
  const site = await startSite(times.map((time) => clickRow(Date.parse(time))));
  for (const [day, tz, hours, clicks] of days) {
    const query = { from: day, to: day, tz, by: 'day' };
    const csv = parseCsv((await site.ask(query, '/report.csv')).body);
    const { body } = await site.ask(query, '/report/sql');
    const found = await site.data.db.read(body.slice(0, body.indexOf(';\n')));
    const counted = csv.filter((row) => row.clicks !== '0');
    const expected = Object.entries(clicks).map(([hour, all]) => [day + hour, all.length]);
    for (const rows of [counted, found])
      expect(rows.map((row) => [row.key, Number(row.clicks)]).sort()).toEqual(expected);
    expect(csv).toHaveLength(hours);
    expect(csv.every((row) => row.clicks_before === '0')).toBe(true);
  }
});

test('the printed SQL has a value with quotes as one value', async () => {
  const site = await startSite([...clicksOf("o'neil", 3), ...clicksOf('clinic-7', 5)]);
  for (const [ref, clicks] of [
    ["o'neil", 3],
    ["o' or 'a' = 'a", 0],
    ["'' or 1 = 1 --'", 0],
  ] as const) {
    const { body } = await site.ask({ ref, by: 'total' }, '/report/sql');
    const [found] = await site.data.db.read(body.slice(0, body.indexOf(';\n')));
    expect([ref, found?.clicks ?? 0]).toEqual([ref, clicks]);
  }
});

test('reads eight files of rows that are asked for at once, six at a time; one that cannot be read to its end is no file', async () => {
  const inProcesses = { env: { ADMIN_PASSWORD }, parts: { startReading: startProcess } };
  const site = await startSite(clicksOf('clinic-7', 5000), [], { now: NOW }, inProcesses);
  const ask = () => site.ask({ by: 'clicks' }, '/report.csv');
  const answers = await Promise.all(Array.from({ length: 8 }, ask));
  const counts = answers.map(({ statusCode, body }) => statusCode === 200 && parseCsv(body).length);
  expect(counts).toEqual(Array(8).fill(5000));
  await execute(site.config, 'ALTER TABLE clicks RENAME TO others');
  expect((await ask()).statusCode).toBe(503);
  expect((await site.ask()).statusCode).toBe(503);
  await execute(site.config, 'ALTER TABLE others RENAME TO clicks');
  expect((await site.ask()).statusCode, 'a failed report is not kept for a minute').toBe(200);
  const causes = site.logged().flatMap(({ err }) => (err as Error | undefined)?.message ?? []);
  const failed = 'The process that reads the report ended with 1: ';
  expect(causes).toEqual([
    `${failed}no such table: clicks`,
    `${failed}the tables could not be read: no such table: clicks`,
  ]);
});

test('no file of the report has a formula of a stranger, whatever sign separates its cells', async () => {
  const hostile = ['clinic;=1+41', 'a|"@SUM(1)', 'b\t-1', 'c\n=1', ' =d'];
  const rows = hostile.map((text) =>
    clickRow(NOW - DAY_MS, { referrer: text, utm_source: text, utm_campaign: text }),
  );
  const { ask } = await startSite(rows);
  for (const by of ['ref', 'campaign', 'clicks']) {
    const { body } = await ask({ by }, '/report.csv');
    expect(body, by).toContain('=1+41');
    expect(formulasIn(body), by).toEqual([]);
  }
});

test('keeps the figures of a report for a minute, and says when they were read', async () => {
  const clock = { now: NOW };
  const site = await startSite(clicksOf('clinic-7', 1), [], clock);
  const clicksShown = async (query = {}) =>
    / Clicks (\d+) /.exec(textOf((await site.ask(query)).body))?.[1];
  expect(await clicksShown()).toBe('1');
  await storeRows(site.data.db, clicksOf('clinic-7', 1));
  clock.now += 59_000;
  expect(await clicksShown()).toBe('1');
  expect(textOf((await site.ask()).body)).toContain('Read at 3:00:00 pm');
  // The server has not kept the answer to this question.
  expect(await clicksShown({ ref: 'clinic-7' })).toBe('2');
  clock.now += 1000;
  expect(await clicksShown()).toBe('2');
});

test('says below each table how many values of it are not kept', async () => {
  const unread = [...Array(12)].map(() => visitRow(NOW - HOUR_MS, { referrer: '...' }));
  const others = [visitRow(NOW - HOUR_MS, { referrer: 'a', utm_source: '', utm_campaign: 'b' })];
  const { ask } = await startSite(
    [clickRow(NOW - HOUR_MS, { utm_source: '' })],
    [...unread, ...others],
  );
  const page = async (query: object) => textOf((await ask({ days: '1', ...query })).body);
  expect(await page({})).toContain('12 visits and 0 clicks had a ref that could not be read.');
  expect(await page({ by: 'source' })).toContain(
    '1 visit and 1 click had a source that is not kept. It is an e-mail address',
  );
  expect(await page({ by: 'campaign' })).not.toContain('not kept');
  // They are a row, so that the table adds up to the totals.
  const rows = parseCsv((await ask({ days: '1', by: 'ref' }, '/report.csv')).body);
  expect(rows.map(({ key, visits }) => [key, visits])).toEqual([
    ['none', '0'],
    ['?', '12'],
    ['a', '1'],
  ]);
  expect(await page({ ref: '?' })).toContain('Visits 12');
});

test('`site report` writes the same figures, without links, to standard output', async () => {
  const site = await startApp();
  const clicks = Array.from({ length: 5 }, () => clickRow(Date.now(), { referrer: 'clinic-7' }));
  await storeRows(site.data.db, clicks);
  const env = { DATA_DIR: site.config.dataDir };
  const page = await runSite(['report', '--tz', 'Asia/Kathmandu'], env);
  expect(page).toMatchObject({ code: 0, err: '' });
  expect(textOf(page.out)).toMatch(/Kathmandu time, .*Clicks 5 new from 0/);
  expect(page.out).not.toMatch(/href="\?|Group by/);
  const csv = await runSite(['report', '--csv', '--days', '7', '--ref', 'clinic-7'], env);
  expect(parseCsv(csv.out)[0]).toMatchObject({ table: 'total', clicks: '5' });
  const wrong = await runSite(['report', '--tz', 'Atlantis'], env);
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('tz must be') });
});
