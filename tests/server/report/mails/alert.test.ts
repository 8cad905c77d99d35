import { describe, expect, test, vi } from 'vitest';
import { upsertLink } from '../../../../server/links/known-links.ts';
import { readFacts } from '../../../../server/report/causes/read-facts.ts';
import { HOUR_MS } from '../../../../server/time.ts';
import { DATABASES } from '../../../helpers/server/databases.ts';
import { FOOTER, startMailing, storeDay, storeUsualDays } from '../../../helpers/server/mailing.ts';
import { storeRows, visitRow } from '../../../helpers/server/rows.ts';

describe.each(DATABASES)('the alert on $name', ({ makeEnv }) => {
  test('mails a change once, also after a refusal and a crash, and once that it is over', async () => {
    const site = await startMailing(await makeEnv());
    const { db } = site.data;
    const day = Temporal.PlainDate.from('2026-11-19');
    await storeUsualDays(db, day);
    expect(await site.mailsOf('2026-11-19T07:00:00Z'), 'the first look').toEqual([]);
    expect(await site.rows('SELECT day, told FROM report_told')).toEqual([
      { day: '2026-11-18', told: '[]' },
    ]);
    const opens = async () => (await readFacts(db, 7))[0]?.text;
    const usual = 'As usual: 70 clicks from 280 visits, as many clicks as in the 7 days before.';
    expect(await opens()).toBe(usual);
    await storeDay(db, day, 0, 60);

    site.clock.refuses = true;
    expect(await site.mailsOf('2026-11-20T06:00:00Z'), 'no mail is taken').toEqual([]);
    site.clock.refuses = false;
    const commit = vi.spyOn(db, 'transaction').mockRejectedValue(new Error('crashed'));
    const [lost] = await site.mailsOf('2026-11-20T07:00:00Z');
    commit.mockRestore();
    expect(await opens(), 'while no mail is noted').toBe(usual);
    const [alert, ...more] = await site.mailsOf('2026-11-20T08:00:00Z');
    expect(await opens()).toContain(
      '60 clicks from 300 visits, 10 fewer clicks than in the 7 days',
    );
    expect(lost?.messageId).toBe(alert?.messageId);
    expect(more).toEqual([]);
    const news = 'The site: 0 clicks per 100 visits on Thursday, November 19, were 25';
    expect(alert).toMatchObject({
      messageId: '<alert-2026-11-19@portal.example>',
      subject: `SMA Data Drive: ${news}`,
      text: `Unusual

${news}.
https://site.example/report?from=2026-11-19&to=2026-11-19

What to do
Press each button of the page. Then look at /healthz.
${FOOTER}`,
    });
    expect(await site.mailsOf('2026-11-20T09:00:00Z'), 'an hour later').toEqual([]);

    await storeDay(db, day.add({ days: 1 }), 0, 60);
    expect(await site.mailsOf('2026-11-21T07:00:00Z'), 'it goes on').toEqual([]);
    for (const days of [2, 3]) await storeDay(db, day.add({ days }), 10, 40);
    // Two days at once, as after a pause.
    const [over, ...others] = await site.mailsOf('2026-11-23T07:00:00Z');
    expect(over?.subject).toContain('The site: as before again since Nov 21');
    expect(others).toEqual([]);
  });
});

test('the first look mails nothing of the days before, and knows them from then on', async () => {
  const site = await startMailing();
  const day = Temporal.PlainDate.from('2026-11-18');
  await storeUsualDays(site.data.db, day);
  await storeDay(site.data.db, day, 0, 60);
  expect(await site.mailsOf('2026-11-19T07:00:00Z')).toEqual([]);
  await storeDay(site.data.db, day.add({ days: 1 }), 0, 60);
  expect(await site.mailsOf('2026-11-20T07:00:00Z')).toEqual([]);
});

test('the alert has the name of a link, whatever the spelling of its code', async () => {
  const site = await startMailing();
  const { db } = site.data;
  await upsertLink(db, 'Clinic-7', 'Clinic Seven');
  const day = Temporal.PlainDate.from('2026-11-19');
  await storeUsualDays(db, day);
  await site.mailsOf('2026-11-19T07:00:00Z');
  const noon = Date.parse('2026-11-19T12:00:00Z');
  const visit = () => visitRow(noon, { referrer: 'CLINIC-7.', ref_key: 'clinic-7' });
  await storeRows(db, [], Array.from({ length: 300 }, visit));
  await storeDay(db, day, 10, 40);
  const [alert] = await site.mailsOf('2026-11-20T07:00:00Z');
  expect(alert?.subject).toContain('Clinic Seven: 300 visits');
});

test('hours without a visit are mailed once, are not mailed again as a day, and once more when they are over', async () => {
  const site = await startMailing();
  const end = Date.parse('2026-11-19T06:00:00Z');
  const visitsOf = (days: number, until: number) =>
    Array.from({ length: days * 24 * 4 }, (_, i) => visitRow(until - (1 + (i >> 2)) * HOUR_MS));
  await storeRows(site.data.db, [], visitsOf(28, end));
  expect(await site.mailsOf('2026-11-19T08:30:00Z')).toEqual([]);
  const [hole] = await site.mailsOf('2026-11-19T15:30:00Z');
  expect(hole).toMatchObject({
    messageId: '<hole-2026-11-19T06@portal.example>',
    text: `No visits

No visit for 9 hours, since Nov 19, 06:00; 36 visits are usual in this time.
https://site.example/report?from=2026-11-19&to=2026-11-19

What to do
Open the site from outside, then look at /healthz.
${FOOTER}`,
  });
  expect(await site.mailsOf('2026-11-19T16:30:00Z'), 'an hour later').toEqual([]);
  expect(await site.mailsOf('2026-11-20T12:30:00Z'), 'the next day').toEqual([]);
  await storeRows(site.data.db, [], visitsOf(1, Date.parse('2026-11-22')));
  const [over, ...others] = await site.mailsOf('2026-11-22T07:00:00Z');
  expect(over?.subject).toContain('The site: as before again since Nov 21');
  expect(others).toEqual([]);
});
