/** GET /report and /report.csv, and `site report`. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { hideSmall } from '../../../server/report/hide-small.ts';
import type { Row } from '../../../server/report/report.ts';
import { execute } from '../../helpers/server/databases.ts';
import { parseCsv } from '../../helpers/server/parse-csv.ts';
import {
  type Click,
  clickRow,
  storeRows,
  type Visit,
  visitRow,
} from '../../helpers/server/rows.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const NOW = Date.parse('2026-11-08T15:00:00Z');
const HOUR_MS = 60 * 60 * 1000;

const clicksOf = (ref: string | null, n: number, parts: Partial<Click> = {}) =>
  Array.from({ length: n }, () => clickRow(NOW - HOUR_MS, { referrer: ref, ...parts }));
const visitsOf = (referrer: string | null, n: number) =>
  Array.from({ length: n }, () => visitRow(NOW - HOUR_MS, { referrer }));

async function startSite(clicks: Click[], visits: Visit[] = []) {
  const site = await startApp({ env: { ADMIN_PASSWORD }, now: () => NOW });
  await storeRows(site.data.db, clicks, visits);
  const headers = withPassword(ADMIN_PASSWORD);
  const ask = (query = {}, url = '/report') =>
    site.app.inject({ url, query: { tz: 'UTC', ...query }, headers });
  return { ...site, ask };
}

/** The text of the page, with single spaces. */
const textOf = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

test('shows the figures of each link by its name, and a link to the report of it alone', async () => {
  const clicks = [...clicksOf('clinic-7', 24), ...clicksOf(null, 6, { via: 'ping' })];
  const site = await startSite(clicks, [...visitsOf('clinic-7', 60), ...visitsOf(null, 40)]);
  await execute(site.config, "INSERT INTO links VALUES ('clinic-7', 'Bay <Clinic>')");
  const { body } = await site.ask({ days: '7' });
  const text = textOf(body);
  expect(text).toContain('Nov 2 to Nov 8, 2026');
  expect(text).toContain('Visits 100 new from 0');
  expect(text).toContain('Clicks per 100 visits 24.0');
  expect(text).toContain('Bay &#60;Clinic&#62; clinic-7 60 24 40.0 new');
  expect(text).toContain('6, of them 0 with Global Privacy Control');
  const [, address = ''] = /href="([^"]*ref=clinic-7[^"]*)"/.exec(body) ?? [];
  const query = Object.fromEntries(new URLSearchParams(address.replaceAll('&#38;', '&')));
  expect(textOf((await site.ask(query)).body)).toContain('Visits 60 new');
});

test('is not framed, runs no script, and does not leak its address', async () => {
  const { ask } = await startSite([]);
  for (const url of ['/report', '/report.csv']) {
    const { headers } = await ask({}, url);
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'/,
    );
  }
});

test('writes changes in percent from large figures, and as a number from small ones', async () => {
  const before = (ref: string, n: number) =>
    Array.from({ length: n }, () => clickRow(NOW - 8 * 24 * HOUR_MS, { referrer: ref }));
  const clicks = [
    ...[...clicksOf('a', 60), ...before('a', 20), ...clicksOf('b', 14), ...before('b', 19)],
    ...[...clicksOf('c', 96), ...before('c', 100), ...clicksOf('d', 3)],
  ];
  const { ask } = await startSite(clicks, visitsOf('d', 29));
  const text = textOf((await ask({ days: '7' })).body);
  for (const row of ['a 0 60 – too few visits +200%', 'b 0 14 – too few visits −5'])
    expect(text).toContain(` ${row} `);
  for (const row of ['c 0 96 – too few visits −4%', 'd 29 3 – too few visits new'])
    expect(text).toContain(` ${row} `);
});

test('an error names each wrong field', async () => {
  const { ask } = await startSite([]);
  const cases: [query: Record<string, string>, message: string][] = [
    [{ days: '0' }, 'days must be a whole number from 1 to 366'],
    [{ days: 'all', tz: 'Atlantis' }, '366\ntz must be a time zone like America/New_York'],
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from must be a date like 2026-01-31'],
    [{ from: '2026-02-01' }, 'to must be set together with from'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'to must be on or after from'],
    [{ cta: 'nothing' }, 'cta must be one of hero_cta_click'],
    [{ ref: 'x'.repeat(1000) }, 'ref must have at most'],
  ];
  for (const [query, message] of cases) {
    const answer = await ask(query);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.message).toContain(message);
  }
});

test('names clicks that are missing inside visits, and none that may be before the period', async () => {
  const visit = (seqs: number[]) => {
    const visit_id = randomUUID();
    return seqs.map((seq) => clickRow(NOW - HOUR_MS + seq, { visit_id, seq }));
  };
  const clicks = [...visit([1, 2, 5]), ...visit([3, 4]), ...visit([1])];
  const { ask } = await startSite(clicks);
  expect(textOf((await ask()).body)).toContain('About 2 clicks are missing');
  expect(textOf((await ask({ cta: 'hero_cta_click' })).body)).toContain('gaps cannot be counted');
});

test('keeps the largest 1,000 of strangers’ names, and adds up the others', async () => {
  const names = Array.from({ length: 1100 }, (_, n) => `ref-${n}`);
  const { ask } = await startSite([
    ...names.flatMap((ref) => clicksOf(ref, 1)),
    ...clicksOf('clinic-7', 3),
  ]);
  const rows = parseCsv((await ask({}, '/report.csv')).body).filter(({ table }) => table === 'ref');
  expect(rows).toHaveLength(1001);
  expect(rows.find(({ key }) => key === 'clinic-7')?.clicks).toBe('3');
  expect(rows.find(({ name }) => name === 'All others')?.clicks).toBe('101');
});

test('a shared report hides figures from 1 to 10, and those that would give them away', async () => {
  const clicks = [...clicksOf('clinic-7', 4), ...clicksOf('clinic-8', 30), ...clicksOf(null, 50)];
  const visits = [...visitsOf('clinic-7', 9), ...visitsOf('clinic-8', 80), ...visitsOf(null, 90)];
  const { ask } = await startSite(clicks, visits);
  const all = textOf((await ask({ share: '1' })).body);
  expect(all).toContain('clinic-7 hidden hidden');
  expect(all).toContain('clinic-8 hidden hidden');
  expect(all).toContain('Without a link of ours 90 50');
  expect(all).not.toMatch(/per 100|Change|operators/);
  const alone = textOf((await ask({ share: '1', ref: 'clinic-7' })).body);
  expect(alone).toContain('Visits under 11 Clicks under 11');
  expect(alone).toContain('Links These figures are too small to share.');
  const csv = parseCsv((await ask({ share: '1' }, '/report.csv')).body);
  expect(csv.filter(({ key }) => key === 'clinic-7')).toMatchObject([
    { visits: '', clicks: '', visits_before: '', clicks_before: '' },
  ]);
  const small = await ask({ share: '1', ref: 'clinic-7' }, '/report.csv');
  expect(parseCsv(small.body)).toEqual([]);
});

test('`site report` writes the same figures, without links, to standard output', async () => {
  const site = await startApp();
  const clicks = Array.from({ length: 5 }, () => clickRow(Date.now(), { referrer: 'clinic-7' }));
  await storeRows(site.data.db, clicks);
  const env = { DATA_DIR: site.config.dataDir };
  const page = await runSite(['report', '--tz', 'Asia/Kathmandu'], env);
  expect(page).toMatchObject({ code: 0, err: '' });
  expect(textOf(page.out)).toMatch(/time zone Asia\/Kathmandu, .*Clicks 5 new from 0/);
  expect(page.out).not.toContain('href="?');
  const csv = await runSite(['report', '--csv', '--days', '7', '--ref', 'clinic-7'], env);
  expect(parseCsv(csv.out)[0]).toMatchObject({ table: 'total', clicks: '5' });
  const wrong = await runSite(['report', '--tz', 'Atlantis'], env);
  expect(wrong).toMatchObject({ code: 1, out: '', err: expect.stringContaining('tz must be') });
});

test('a reader of a shared table cannot tell a figure from 1 to 10, even with the rules at hand', () => {
  /** The words that a reader sees, and the tables that look so. */
  const looks = new Map<string, { table: number[]; hidden: number[] }[]>();
  const values = Array.from({ length: 24 }, (_, n) => n);
  const tables = values.flatMap((a) => values.flatMap((b) => values.map((c) => [a, b, c])));
  for (const table of tables) {
    const rows = table.map((visits) => ({ now: { visits, clicks: 0 } })) as Row[];
    const set = hideSmall(rows)?.visits;
    if (!set) continue;
    const hidden = table.flatMap((_, i) => (set.has(rows[i] as Row) ? [i] : []));
    const shown = table.map((n, i) => (hidden.includes(i) ? 'hidden' : n));
    const look = [...shown, table.reduce((sum, n) => sum + n, 0)].join();
    looks.set(look, [...(looks.get(look) ?? []), { table, hidden }]);
  }
  const told = [...looks].filter(([, alike]) =>
    alike[0]?.hidden.some((i) => {
      const possible = new Set(alike.map(({ table }) => table[i] ?? 0));
      return possible.size < 3 && [...possible].every((n) => n < 11);
    }),
  );
  expect(looks.size).toBeGreaterThan(1000);
  expect(told).toEqual([]);
});
