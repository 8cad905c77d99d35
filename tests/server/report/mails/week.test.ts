import { describe, expect, test } from 'vitest';
import { upsertLink } from '../../../../server/links/known-links.ts';
import { dueWeek } from '../../../../server/report/mails/week.ts';
import { addNote } from '../../../../server/report/sharing/notes-and-shares.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import type { Received } from '../../../helpers/fakes/open-smtp-server.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, execute } from '../../../helpers/server/databases.ts';
import { BROKEN, HOSTILE, SHOWN } from '../../../helpers/server/hostile-text.ts';
import {
  expectSameContents,
  loggedAbout,
  REPORT_MAIL_TO,
  startMailing,
  storeDay,
  storeLink,
  storeUsualDays,
} from '../../../helpers/server/mailing.ts';
import { lookHere, readInProcess } from '../../../helpers/server/read-in-process.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { makeDataDir, startApp } from '../../../helpers/server/server-app.ts';
import { SITE } from '../../../helpers/server/write-dist.ts';

test('a week is due on Monday at 6 in the team’s time zone', () => {
  const six = Date.parse('2026-11-09T11:00:00Z');
  const last = { from: '2026-11-02', to: '2026-11-08' };
  expect(dueWeek(six - 1, 'America/New_York')).toEqual({ from: '2026-10-26', to: '2026-11-01' });
  expect(dueWeek(six, 'America/New_York')).toEqual(last);
  expect(dueWeek(six + 7 * DAY_MS - 1, 'America/New_York')).toEqual(last);
  expect(dueWeek(six - 5 * HOUR_MS, 'UTC')).toEqual(last);
});

describe.each(DATABASES)('the weekly mail on $name', ({ makeEnv }) => {
  test('comes once to all addresses, after a refusal and from the next process too', async () => {
    const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 451 : 250) });
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url, REPORT_MAIL_TO, LOG_LEVEL: 'debug' };
    const dataDir = makeDataDir();
    const start = () =>
      startApp({
        env,
        dataDir,
        jobs: [],
        senders: { reports: { read: readInProcess, look: lookHere } },
      });
    const { from, to } = dueWeek(Date.now(), 'UTC');
    const [first, last] = [Date.parse(from), Date.parse(to) + DAY_MS - 1];
    const site = await start();
    const times = [first - 8 * DAY_MS, first, last, last + 1];
    const clicks = times.map((at) => clickRow(at, { referrer: 'clinic-7' }));
    await storeRows(site.data.db, clicks);

    const name = `report from ${from} to ${to}`;
    const later = `The ${name} could not be mailed. The server tries again in an hour`;
    expect(await loggedAbout(site, name)).toEqual([[later, '451']]);
    expect(await loggedAbout(site, name)).toEqual([[`Mailed the ${name}`]]);
    expect(await loggedAbout(site, name), 'the same process').toEqual([]);
    await site.close();
    const again = await start();
    expect(await loggedAbout(again, name)).toEqual([[`The ${name} was mailed before`]]);

    expect(smtp.received).toHaveLength(2);
    const [, mail] = smtp.received;
    expect(mail?.envelope.to).toEqual(['growth@site.example', 'team@site.example']);
    expect(mail?.messageId).toBe(smtp.received[0]?.messageId);
    expect(mail?.subject).toContain('SMA Data Drive: 2 clicks');
    expect(mail?.attachments).toEqual([]);
    expect(mail?.text).toContain(`
Visits: 0 (0 before)
Clicks: 2 (0 before)
Clicks per 100 visits: too few visits (too few visits before)
`);
  });
});

const MONDAY = Temporal.PlainDate.from('2026-11-09');

describe('the mail of a week', () => {
  test('has its news as subject; text and HTML have totals, what has changed, best and worst link, notes and addresses', async () => {
    const site = await startMailing();
    const { db } = site.data;
    await storeUsualDays(db, MONDAY);
    const days = Array.from({ length: 7 }, (_, days) => MONDAY.add({ days }));
    for (const day of days) await storeDay(db, day, day.dayOfWeek > 4 ? 0 : 10, 40);
    await upsertLink(db, 'Clinic-7', 'Bay Clinic');
    await storeLink(db, 'Clinic-7', 40, 9);
    await storeLink(db, 'card', 40, 2);
    await storeLink(db, 'flyer', 40, 5);
    await storeLink(db, 'rare', 29, 0);
    await execute(site.config, "INSERT INTO report_notes VALUES ('a', '2026-11-08', 'Before')");
    await execute(site.config, "INSERT INTO report_notes VALUES ('b', '2026-11-10', 'Talk & <b>')");
    site.clock.now = Date.parse('2026-11-13T07:00:00Z');
    await site.step('report-mails');

    const mail = await site.weekOf();
    const fact = 'The site: 0 clicks per 100 visits since Nov 13, were 25';
    expect(mail?.subject).toBe(`SMA Data Drive: 56 clicks, −20%; ${fact}`);
    expect(mail?.text).toMatchInlineSnapshot(`
      "Nov 9 to 15

      Visits: 429 (+53% from 280)
      Clicks: 56 (−20% from 70)
      Clicks per 100 visits: 13.1 (−11.9 from 25.0)

      What has changed
      The site: 0 clicks per 100 visits since Nov 13, were 25. Press each button of the page. Then look at /healthz.
      https://site.example/report?from=2026-11-13&to=2026-11-15

      flyer: 5.7 visits a day from Nov 9 to Nov 15, usually almost none. Your note of Nov 8: “Before”. Your note of Nov 10: “Talk & <b>”.
      https://site.example/report?ref=flyer&from=2026-11-09&to=2026-11-15

      The site: 189 visits on Tuesday, November 10, usually 40. Your note of Nov 10: “Talk & <b>”.
      https://site.example/report?from=2026-11-10&to=2026-11-10

      Links since Oct 19
      Best: Bay Clinic, 22.5 clicks per 100 visits (9 clicks from 40 visits)
      https://site.example/report?ref=clinic-7&from=2026-10-19&to=2026-11-15

      Worst: card, 5.0 clicks per 100 visits (2 clicks from 40 visits)
      https://site.example/report?ref=card&from=2026-10-19&to=2026-11-15

      Notes
      Nov 10: Talk & <b>

      The report
      This week
      https://site.example/report?from=2026-11-09&to=2026-11-15

      The last 30 days
      https://site.example/report?days=30

      -- 
      SMA Data Drive, site.example. Days and times: UTC. REPORT_MAIL_TO names the readers.

      "
    `);
    expectSameContents(mail as Received);
  });

  test('of usual days says so, and compares with the week before', async () => {
    const site = await startMailing();
    await storeUsualDays(site.data.db, MONDAY.add({ days: 7 }));
    const mail = await site.weekOf();
    expect(mail?.subject).toBe('SMA Data Drive: 70 clicks, 0%; nothing unusual');
    expect(mail?.text).toContain('What has changed\nNothing unusual.');
    const late = await startMailing();
    await storeUsualDays(late.data.db, MONDAY.add({ days: 9 }));
    const other = await late.weekOf('2026-11-18T07:00:00Z');
    expect(other?.subject, 'the look compares later days').toBe('SMA Data Drive: 70 clicks, 0%');
  });

  test('of the first days has only these, and no comparison; before them there is none', async () => {
    const site = await startMailing();
    expect(await site.weekOf(), 'an empty database').toBeUndefined();
    const fresh = await startMailing();
    await storeRows(fresh.data.db, [], [visitRow(Date.parse('2026-11-16T01:00:00Z'))]);
    expect(await fresh.weekOf(), 'the first visit is of Monday').toBeUndefined();
    expect(fresh.logged().filter(({ msg }) => String(msg).includes('could not'))).toEqual([]);
    const again = await startMailing();
    const { db } = again.data;
    const saturday = Date.parse('2026-11-14T12:00:00Z');
    await storeRows(db, [], [visitRow(saturday - 2 * DAY_MS, { is_bot: true })]);
    await storeDay(db, Temporal.PlainDate.from('2026-11-14'), 3, 40);
    const mail = await again.weekOf();
    expect(mail?.subject).toBe('SMA Data Drive: 3 clicks');
    expect(mail?.text).toMatch(
      /^Nov 14 to 15\n\nVisits: 40\nClicks: 3\nClicks per 100 visits: 7.5\n/,
    );
    expect(mail?.text).toContain('https://site.example/report?from=2026-11-14&to=2026-11-15');
    expect(mail?.text).not.toMatch(/before|usual/);
  });

  test('has names of the site, of links and of codes, and notes, as text', async () => {
    const mailNames = { ...SITE.mail, productName: HOSTILE };
    const site = await startMailing({}, makeDataDir(), { mail: mailNames });
    await upsertLink(site.data.db, 'Clinic-7', HOSTILE);
    await storeLink(site.data.db, 'Clinic-7', 40, 9);
    await storeLink(site.data.db, `a${HOSTILE}b`, 40, 2);
    await addNote(site.data.db, { day: '2026-11-10', note: HOSTILE });
    const { html = '' } = (await site.weekOf()) ?? {};
    expect(html).not.toMatch(BROKEN);
    const places = [
      `<title>${SHOWN}: 11 clicks`,
      `<a href="https://site.example/report?ref=clinic-7&amp;`,
      `>Best: ${SHOWN}, 22.5 clicks`,
      `>Nov 10: ${SHOWN}<`,
      `>${SHOWN}, site.example. Days`,
    ];
    expect(places.filter((place) => !html.includes(place))).toEqual([]);
  });

  test.each([
    ['post@drive.example', 'SMA Data Drive'],
    ['Our pages <post@drive.example>', 'Our pages'],
  ])('from %s has a name and a List-Id', async (MAIL_FROM, name) => {
    const site = await startMailing({ MAIL_FROM });
    await storeDay(site.data.db, MONDAY, 1, 1);
    const mail = await site.weekOf();
    expect(mail?.from).toEqual({ name, address: 'post@drive.example' });
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({
        key: 'list-id',
        value: expect.stringContaining('<week.site.example>'),
      }),
    );
  });
});
