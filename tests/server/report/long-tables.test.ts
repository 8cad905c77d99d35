/** Tables of the report that strangers have filled with names. */
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../server/time.ts';
import { execute } from '../../helpers/server/databases.ts';
import { parseCsv } from '../../helpers/server/parse-csv.ts';
import { clicksOf, NOW, startSite, textOf } from '../../helpers/server/report-site.ts';
import { clickRow } from '../../helpers/server/rows.ts';

test('keeps the largest 1,000 of strangers’ names, and adds up the others', async () => {
  const names = Array.from({ length: 1100 }, (_, n) => `ref-${n}`);
  const { ask } = await startSite([
    ...names.flatMap((ref) => clicksOf(ref, 1)),
    ...clicksOf('clinic-7', 3),
    // In the period before, other names are the largest.
    ...names.map((ref) => clickRow(NOW - 40 * DAY_MS, { referrer: `old-${ref}` })),
    ...names.map((ref) => clickRow(NOW - 40 * DAY_MS, { referrer: ref })),
  ]);
  const rows = parseCsv((await ask({}, '/report.csv')).body).filter(({ table }) => table === 'ref');
  expect(rows).toHaveLength(1001);
  expect(rows.reduce((sum, row) => sum + Number(row.clicks_before), 0)).toBe(2200);
  expect(rows.find(({ key }) => key === 'clinic-7')?.clicks).toBe('3');
  expect(rows.find(({ name }) => name === 'All others')).toMatchObject({ key: '', clicks: '101' });
});

/** The columns of a visit. */
const VISIT = {
  id: 'n',
  viewed_at: String(NOW - HOUR_MS),
  page: "'/'",
  ref_key: 'NULL',
  utm_source: 'NULL',
  utm_medium: 'NULL',
  utm_campaign: 'NULL',
  referring_class: "'direct'",
  screen_class: "'small'",
  is_first: 'true',
  is_brief: 'false',
  is_bot: 'false',
  is_internal: 'false',
  is_automated: 'false',
};

/**
 * Replaces the visits of a site by made ones.
 *
 * @param rows number of visits
 * @param columns SQL of columns that differ from VISIT. `n` is the number of the visit
 */
async function makeVisits(
  { config }: Awaited<ReturnType<typeof startSite>>,
  rows: number,
  columns: Partial<typeof VISIT>,
): Promise<void> {
  const selected = Object.entries({ ...VISIT, ...columns }).map(
    ([name, sql]) => `${sql} AS ${name}`,
  );
  await execute(
    config,
    `ALTER TABLE visits RENAME TO stored_visits;
    CREATE TABLE numbers AS
      WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${rows})
      SELECT n FROM counted;
    CREATE VIEW visits AS SELECT ${selected.join(', ')} FROM numbers`,
  );
}

test('a flood of long refs in one hour still gives a page, which adds up to the totals', async () => {
  const site = await startSite([]);
  await makeVisits(site, 20_000, { ref_key: "n || printf('%.2000c', 'x')" });
  const rows = parseCsv((await site.ask({ days: '1' }, '/report.csv')).body);
  const refs = rows.filter(({ table }) => table === 'ref');
  expect(refs).toHaveLength(1001);
  expect(refs.reduce((sum, { visits }) => sum + Number(visits), 0)).toBe(20_000);
  expect(textOf((await site.ask({ days: '1' })).body)).toContain('Visits 20,000 new from 0');
});

test('more combinations of media and sources than are counted together are all counted', async () => {
  const site = await startSite([]);
  await makeVisits(site, 330 * 330, {
    utm_medium: "'medium-' || (n % 330)",
    utm_source: "'source-' || ((n - 1) / 330)",
  });
  const rows = parseCsv((await site.ask({ days: '1' }, '/report.csv')).body);
  for (const name of ['medium', 'source']) {
    const table = rows.filter((row) => row.table === name);
    expect(table).toHaveLength(330);
    expect(new Set(table.map(({ visits }) => visits))).toEqual(new Set(['330']));
  }
});
