/** GET /report/shared/TOKEN: the page of one clinic. */
import { expect, test } from 'vitest';
import type { NewClickRow } from '../../../server/clicks/click.ts';
import { makeShare } from '../../../server/report/sharing/notes-and-shares.ts';
import { execute } from '../../helpers/server/databases.ts';
import { parseCsv } from '../../helpers/server/parse-csv.ts';
import { clicksOf, NOW, startSite, textOf } from '../../helpers/server/report-site.ts';
import { clickRow, storeRows, visitRow } from '../../helpers/server/rows.ts';

test('a clinic with an address sees the last whole month of its link, without figures from 1 to 10', async () => {
  const october = Date.parse('2026-10-31T23:59:00Z');
  const ofMonth = (referrer: string, n: number, device: NewClickRow['screen_class']) =>
    Array.from({ length: n }, () => clickRow(october, { referrer, screen_class: device }));
  const clicks = [...ofMonth('clinic-7', 30, 'large'), ...ofMonth('clinic-7', 10, 'small')];
  const others = [...ofMonth('clinic-8', 10, 'small'), ...clicksOf('clinic-7', 50)];
  const site = await startSite([...clicks, ...others]);
  const open = async (ref: string, query = '') => {
    const token = await makeShare(site.data.db, ref, NOW + 1, NOW);
    return site.app.inject(`/report/shared/${token}${query}`);
  };
  const large = await open('clinic-7');
  const page = textOf(large.body);
  expect(page).toContain('Oct 1 to 31, 2026');
  expect(page).toContain('Visits 0 Views 0 Clicks 40');
  expect(page).toContain('Phone 0 under 11');
  expect(page).toContain('Computer 0 hidden');
  expect(page).not.toMatch(/per 100|Change|operators|SQL|CSV|Make a link/);
  expect(large.body).not.toContain('/report?');
  expect(large.headers).toMatchObject({ 'referrer-policy': 'no-referrer' });
  expect(textOf((await open('clinic-9')).body)).toContain(
    'No visits from Oct 1 to 31. The figures of this month come on Dec 1.',
  );
  // The team's page of the same month and link, within the same minute, still has the other links.
  const month = { from: '2026-10-01', to: '2026-10-31', ref: 'clinic-7' };
  expect(textOf((await site.ask(month)).body)).toContain('clinic-8 0 10');
  // Neither another link nor another period.
  const small = await open('clinic-8', '?ref=clinic-7&days=90');
  expect(textOf(small.body)).toContain('Clicks under 11');
  const askUnknown = () => site.app.inject(`/report/shared/${'x'.repeat(43)}`);
  expect((await askUnknown()).statusCode).toBe(404);
  // A stranger cannot fill the log: the first refusal has a line, and a failing database none.
  expect((await askUnknown()).statusCode).toBe(404);
  await execute(site.config, 'ALTER TABLE report_shares RENAME TO others');
  expect((await askUnknown()).statusCode).toBe(503);
  const lines = site.logged().filter(({ level }) => Number(level) >= 40);
  expect(lines).toMatchObject([{ reason: 'share_token', times: 1 }]);
});

test('the shared page of a clinic has its visits in every spelling, and so has each table and filter', async () => {
  const october = Date.parse('2026-10-15T12:00:00Z');
  const spellings = ['clinic-7', 'CLINIC-7', '"clinic-7"', 'clinic-7.', 'Clinic-7?fbclid=x'];
  const visits = spellings.flatMap((referrer) =>
    [...Array(26)].map(() => visitRow(october, { referrer })),
  );
  const clicks = spellings.flatMap((referrer) =>
    [...Array(10)].map(() => clickRow(october, { referrer })),
  );
  const site = await startSite(clicks, visits);
  await execute(site.config, "INSERT INTO links VALUES ('clinic-7', 'Clinic-7', 'Bay Clinic', 1)");
  for (const ref of ['Clinic-7', 'CLINIC-7.']) {
    const token = await makeShare(site.data.db, ref, NOW + 1, NOW);
    const page = textOf((await site.app.inject(`/report/shared/${token}`)).body);
    expect(page).toContain('Visits 130 Views 130 Clicks 50');
  }
  const dates = { from: '2026-10-01', to: '2026-10-31' };
  expect(textOf((await site.ask(dates)).body)).toContain('Bay Clinic Clinic-7 130 50 38.5');
  for (const ref of ['clinic-7', '*CLINIC-7*'])
    expect(textOf((await site.ask({ ...dates, ref })).body)).toContain('Visits 130');
  const csv = parseCsv((await site.ask({ ...dates, by: 'ref' }, '/report.csv')).body);
  expect(csv).toMatchObject([{ key: 'clinic-7', name: 'Bay Clinic', visits: '130' }]);
  // One typing error in another spelling.
  await storeRows(site.data.db, clicksOf('CLINC-7', 1));
  expect(textOf((await site.ask({ days: '1' })).body)).toContain('nearest is Clinic-7 clinc-7');
});
