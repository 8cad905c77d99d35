/** What a period of the report can be compared with. */
import { expect, test } from 'vitest';
import { DAY_MS } from '../../../server/time.ts';
import { NOW, startSite, textOf } from '../../helpers/server/report-site.ts';
import { clickRow } from '../../helpers/server/rows.ts';

const on = (daysAgo: number, n: number) =>
  Array.from({ length: n }, () => clickRow(NOW - 3_600_000 - daysAgo * DAY_MS));

test('a period is compared with the days before, the same weekdays, last year, or chosen days', async () => {
  const site = await startSite([
    ...on(0, 5),
    ...on(3, 1),
    ...on(7, 2),
    ...on(364, 3),
    ...on(20, 4),
  ]);
  const shown = async (query: object) => {
    const text = textOf((await site.ask({ days: '3', ...query })).body);
    const [, clicks] = / Clicks 5 \S+ (?:new )?from (\d+)/.exec(text) ?? [];
    const [, against] = /compared with (.*?) 7 days/.exec(text) ?? [];
    return [against?.trim(), clicks];
  };
  expect(await shown({})).toEqual(['the 3 days before', '1']);
  expect(await shown({ compare: 'weekdays' })).toEqual(['the same days a week before', '2']);
  expect(await shown({ compare: 'year' })).toEqual(['the same days 52 weeks before', '3']);
  expect(await shown({ before: '2026-10-17' })).toEqual(['Oct 17 to 19, 2026', '4']);
});

test('chosen days that meet the period are a fault at their field, and not an empty report', async () => {
  const site = await startSite(on(0, 5));
  const { statusCode, body } = await site.ask({ days: '7', before: '2026-11-01' });
  expect(statusCode).toBe(400);
  expect(body).toContain('It must be at least 7 days before the first day.');
  expect(body).toMatch(/name="before"[^>]* aria-invalid="true" aria-describedby="fault-before"/);
  expect(textOf(body)).toContain('compared with the 7 days before');
});
