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

test('a flood of long refs in one hour still gives a page, which adds up to the totals', async () => {
  const site = await startSite([]);
  await execute(
    site.config,
    `ALTER TABLE visits RENAME TO stored_visits;
    CREATE TABLE numbers AS
      WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 20000)
      SELECT n FROM counted;
    CREATE VIEW visits AS
      SELECT n AS id, ${NOW - HOUR_MS} AS viewed_at, '/' AS page, n || printf('%.2000c', 'x') AS ref_key,
        NULL AS utm_source, NULL AS utm_medium, NULL AS utm_campaign, 'direct' AS referring_class,
        'small' AS screen_class, true AS is_first, false AS is_brief, false AS is_bot, false AS is_internal,
        false AS is_automated
      FROM numbers`,
  );
  const rows = parseCsv((await site.ask({ days: '1' }, '/report.csv')).body);
  const refs = rows.filter(({ table }) => table === 'ref');
  expect(refs).toHaveLength(1001);
  expect(refs.reduce((sum, { visits }) => sum + Number(visits), 0)).toBe(20_000);
  expect(textOf((await site.ask({ days: '1' })).body)).toContain('Visits 20,000 new from 0');
});
