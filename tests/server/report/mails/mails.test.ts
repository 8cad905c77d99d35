/**
 * The report of each week and the alert of a day. The last test has real servers, and their
 * processes that read reports.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Database, openDatabase } from '../../../../server/database/database.ts';
import { nameLink } from '../../../../server/links/known-links.ts';
import { readFacts } from '../../../../server/report/causes/read-facts.ts';
import { noteMail } from '../../../../server/report/mails/note-mail.ts';
import { dueDay, dueWeek } from '../../../../server/report/mails/week.ts';
import { addNote } from '../../../../server/report/sharing/notes-and-shares.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../server/time.ts';
import type { KnownFault } from '../../../../server/watch/watch-site.ts';
import type { Received } from '../../../helpers/fakes/open-smtp-server.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, execute, postgresEnv } from '../../../helpers/server/databases.ts';
import { BROKEN, HOSTILE, SHOWN } from '../../../helpers/server/hostile-text.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { lookHere, readInProcess } from '../../../helpers/server/read-in-process.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { makeDataDir, type Site, startApp } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';
import { SITE } from '../../../helpers/server/write-dist.ts';

const REPORT_MAIL_TO = 'growth@site.example, team@site.example';

test('a week is due on Monday at 6 in the team’s time zone', () => {
  const six = Date.parse('2026-11-09T11:00:00Z');
  const last = { from: '2026-11-02', to: '2026-11-08' };
  expect(dueWeek(six - 1, 'America/New_York')).toEqual({ from: '2026-10-26', to: '2026-11-01' });
  expect(dueWeek(six, 'America/New_York')).toEqual(last);
  expect(dueWeek(six + 7 * DAY_MS - 1, 'America/New_York')).toEqual(last);
  expect(dueWeek(six - 5 * HOUR_MS, 'UTC')).toEqual(last);
});

/** Stores the clicks and visits of people at noon of a day, and clicks that do not count. */
async function storeDay(db: Database, day: Temporal.PlainDate, clicks: number, visits: number) {
  const noon = Date.parse(`${day}T12:00:00Z`);
  const rows = (n: number, mark = {}) => Array.from({ length: n }, () => clickRow(noon, mark));
  const uncounted = [...rows(30, { is_bot: true }), ...rows(30, { is_internal: true })];
  const views = Array.from({ length: visits }, () => visitRow(noon));
  await storeRows(db, [...rows(clicks), ...uncounted], views);
}

/** Stores visits of a link in the week from November 9 on, and their clicks. */
async function storeLink(db: Database, referrer: string, visits: number, clicks: number) {
  const noon = Date.parse('2026-11-10T12:00:00Z');
  const click = { referrer, visit_id: randomUUID() };
  await storeRows(
    db,
    Array.from({ length: clicks }, () => clickRow(noon, click)),
    Array.from({ length: visits }, () => visitRow(noon, { referrer })),
  );
}

/** Stores four weeks before a day, of 10 clicks and 40 visits each. */
async function storeUsualDays(db: Database, day: Temporal.PlainDate) {
  for (let days = 1; days <= 28; days++) await storeDay(db, day.subtract({ days }), 10, 40);
}

/** A site whose clock and walk a test has, and the mails that a real SMTP server takes from it. */
async function startMailing(
  env: Record<string, string> = {},
  dataDir = makeDataDir(),
  settings: Partial<BuiltSite> = {},
) {
  const clock = { now: Date.parse('2026-11-19T12:00:00Z'), refuses: false };
  const smtp = await startSmtpServer({ data: () => (clock.refuses ? 451 : 250) });
  const walk = { faults: null as KnownFault[] | null };
  const site = await startApp({
    env: { SMTP_URL: smtp.url, REPORT_MAIL_TO, ...env },
    site: settings,
    dataDir,
    jobs: [],
    now: () => clock.now,
    senders: {
      reports: { read: readInProcess, look: lookHere, siteWatch: { facts: () => walk.faults } },
    },
  });
  return {
    ...site,
    clock,
    walk,
    /** Runs the job. @returns the mails that the SMTP server has taken, without those of the week */
    async mailsOf(time: string): Promise<Received[]> {
      clock.now = Date.parse(time);
      const before = smtp.received.length;
      await site.step('report-mails');
      if (clock.refuses) return [];
      return smtp.received.slice(before).filter((mail) => !idOf(mail).startsWith('report-'));
    },
    /** Runs the job. @returns the mail of the week that ended on Sunday, November 15 */
    async weekOf(time = '2026-11-16T07:00:00Z'): Promise<Received | undefined> {
      clock.now = Date.parse(time);
      await site.step('report-mails');
      return smtp.received.find((mail) => idOf(mail) === 'report-2026-11-09');
    },
  };
}

const idOf = ({ messageId = '' }: Received): string => messageId.slice(1).split('@')[0] ?? '';
/** The last lines of each mail. */
const FOOT = `
--\x20
SMA Data Drive, site.example. Days and times: UTC. REPORT_MAIL_TO names the readers.

`;

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
${FOOT}`,
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
  await nameLink(db, 'Clinic-7', 'Clinic Seven');
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

test('hours without a visit are mailed once, and are not mailed again as a day', async () => {
  const site = await startMailing();
  const end = Date.parse('2026-11-19T06:00:00Z');
  const hours = Array.from({ length: 28 * 24 }, (_, i) => end - (i + 1) * HOUR_MS);
  const visits = hours.flatMap((at) => Array.from({ length: 4 }, () => visitRow(at)));
  await storeRows(site.data.db, [], visits);
  expect(await site.mailsOf('2026-11-19T08:30:00Z')).toEqual([]);
  const [hole] = await site.mailsOf('2026-11-19T15:30:00Z');
  expect(hole).toMatchObject({
    messageId: '<hole-2026-11-19T06@portal.example>',
    text: `No visits

No visit for 9 hours, since Nov 19, 06:00; 36 visits are usual in this time.
https://site.example/report?from=2026-11-19&to=2026-11-19

What to do
Open the site from outside, then look at /healthz.
${FOOT}`,
  });
  expect(await site.mailsOf('2026-11-19T16:30:00Z'), 'an hour later').toEqual([]);
  expect(await site.mailsOf('2026-11-20T12:30:00Z'), 'the next day').toEqual([]);
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
    expect(await saidIn(site, name)).toEqual([[later, '451']]);
    expect(await saidIn(site, name)).toEqual([[`Mailed the ${name}`]]);
    expect(await saidIn(site, name), 'the same process').toEqual([]);
    await site.close();
    const again = await start();
    expect(await saidIn(again, name)).toEqual([[`The ${name} was mailed before`]]);

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
    await nameLink(db, 'Clinic-7', 'Bay Clinic');
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
    expectSame(mail as Received);
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
    await nameLink(site.data.db, 'Clinic-7', HOSTILE);
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

const PORTAL: KnownFault = {
  id: 'portal-status',
  kind: 'portal',
  text: 'the button leads to an error of the portal (502)',
  since: Date.parse('2026-11-19T14:05:00Z'),
  until: null,
  isForMail: true,
};

describe('a fault that the site’s own walk has found', () => {
  test('is mailed once, also after a restart, and once that it is over', async () => {
    const dataDir = makeDataDir();
    const site = await startMailing({}, dataDir);
    site.walk.faults = [PORTAL, { ...PORTAL, id: 'address', isForMail: false }];
    const [mail, ...more] = await site.mailsOf('2026-11-19T15:00:00Z');
    expect(more).toEqual([]);
    expect(mail?.subject).toBe(`SMA Data Drive: Since 14:05 ${PORTAL.text}`);
    expect(mail?.text).toBe(`The site has a fault

Since 14:05 ${PORTAL.text}.

What to do
Open the button's link, and call the partner.

Where to look
The site
https://site.example

What is wrong now
https://site.example/healthz

docs/operations.md, “SiteWalkFails”, says what to do about each.
${FOOT}`);
    expectSame(mail as Received);
    expect(await site.mailsOf('2026-11-19T16:00:00Z'), 'an hour later').toEqual([]);
    await site.close();

    const again = await startMailing({}, dataDir);
    expect(await again.mailsOf('2026-11-19T17:00:00Z'), 'before the first walk').toEqual([]);
    again.walk.faults = [PORTAL];
    expect(await again.mailsOf('2026-11-19T18:00:00Z'), 'after a restart').toEqual([]);
    again.walk.faults = [{ ...PORTAL, until: Date.parse('2026-11-19T18:30:00Z') }];
    const [over, ...others] = await again.mailsOf('2026-11-19T19:00:00Z');
    expect(over?.subject).toBe(`SMA Data Drive: Over: from 14:05 to 18:30 ${PORTAL.text}`);
    expect(others).toEqual([]);
    expect(await again.mailsOf('2026-11-19T20:00:00Z'), 'an hour later').toEqual([]);
    again.walk.faults = [{ ...PORTAL, since: Date.parse('2026-11-20T01:05:00Z') }];
    expect(await again.mailsOf('2026-11-20T02:00:00Z'), 'the next time').toHaveLength(1);
  });

  test('is one mail with others of its hour, and waits while the SMTP server refuses it', async () => {
    const site = await startMailing();
    const page = { ...PORTAL, id: 'page-away', kind: 'page' as const, text: 'a page is away' };
    site.walk.faults = [PORTAL, page];
    site.clock.refuses = true;
    expect(await site.mailsOf('2026-11-19T15:00:00Z')).toEqual([]);
    site.clock.refuses = false;
    const [mail, ...more] = await site.mailsOf('2026-11-19T16:00:00Z');
    expect(mail?.subject).toContain(`Since 14:05 ${PORTAL.text}, and 1 more`);
    expect(mail?.text).toContain('Since 14:05 a page is away.');
    expect(more).toEqual([]);
  });

  test('of another server has one mail, and its end too', async () => {
    const site = await startMailing();
    site.walk.faults = [PORTAL];
    expect(await site.mailsOf('2026-11-19T15:00:00Z')).toHaveLength(1);
    site.walk.faults = [{ ...PORTAL, since: PORTAL.since + 9 * MINUTE_MS }];
    expect(await site.mailsOf('2026-11-19T16:00:00Z'), 'met by both').toEqual([]);
    site.walk.faults = [];
    const [over] = await site.mailsOf('2026-11-19T17:00:00Z');
    expect(over?.subject).toContain('Over: from 14:05 to 17:00');
  });
});

/** The HTML of a mail has each word and each address of its text, and no other address. */
function expectSame({ text = '', html = '' }: Received) {
  const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => unescapeHtml(url));
  expect(text.match(URLS)).toEqual(links);
  expect(html).not.toMatch(/ src=|url\(|<script|<link/);
  const wordsOf = (words: string) => words.split(/[\s():]+/).filter((word) => word !== '--');
  const shown = wordsOf(unescapeHtml(html.replace(/<[^>]*>/g, ' ')));
  expect(shown).toEqual(expect.arrayContaining(wordsOf(text.replaceAll(URLS, ' '))));
}

const URLS = /https:\/\/\S+/g;
const SIGNS: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescapeHtml = (html: string) => html.replace(/&(#?\w+);/g, (_, name) => SIGNS[name] ?? '');

/** Runs the job once. @returns what the log then says about a mail */
async function saidIn(site: Site, name: string) {
  const before = site.logged().length;
  expect(await site.step('report-mails')).toBe(false);
  const lines = site.logged().slice(before);
  return lines.flatMap(({ msg, reason }) =>
    String(msg).includes(name) ? [reason === undefined ? [msg] : [msg, reason]] : [],
  );
}

test('while the database is away, each due mail has a line, and waits', async () => {
  const database = `postgres://site@127.0.0.1:${await freePort()}/site`;
  const env = { ...postgresEnv(database), SMTP_URL: 'smtp://localhost', REPORT_MAIL_TO };
  const site = await startApp({ env, jobs: ['report-mails'] });
  const said = () => site.logged().map(({ msg }) => msg);
  const later = 'could not be mailed. The server tries again in an hour';
  const { from, to } = dueWeek(Date.now(), 'UTC');
  await expect.poll(said).toContain(`The report from ${from} to ${to} ${later}`);
  expect(said()).toContain(`The alert of ${dueDay(Date.now(), 'UTC')} ${later}`);
});

// SQLite is for one server.
describe.each(DATABASES.slice(1))('two servers on $name', ({ makeEnv }) => {
  test('do not send the same mail at the same time', async () => {
    const env = { ...(await makeEnv()), SMTP_URL: 'smtp://localhost', REPORT_MAIL_TO };
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    const send = vi.fn(() => answered);
    const start = () =>
      startApp({
        env,
        jobs: ['report-mails'],
        rests: { 'report-mails': { everyMs: 20 } },
        senders: { reports: { send, read: readInProcess, look: lookHere } },
      });
    const one = await start();
    await storeRows(one.data.db, [], [visitRow(Date.parse(dueWeek(Date.now(), 'UTC').to))]);
    await expect.poll(() => send.mock.calls.length).toBe(1);
    // While the SMTP server has not answered the first server, the second one looks twice.
    const two = await start();
    const asked = vi.spyOn(two.data.db, 'holds');
    await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(1);
    expect(send).toHaveBeenCalledTimes(1);
    answer();
    await expect.poll(() => two.rows('SELECT id FROM report_mails')).toHaveLength(1);
  });

  test('mail the alert once, after a look in a process of its own', async () => {
    const smtp = await startSmtpServer();
    const { DATABASE_URL = '', ...keys } = await makeEnv();
    const env = { ...keys, DATABASE_URL, SMTP_URL: smtp.url, REPORT_MAIL_TO };
    const db = await openDatabase([DATABASE_URL], '');
    const day = dueDay(Date.now(), 'UTC');
    await storeUsualDays(db, day);
    await storeDay(db, day, 0, 60);
    const memory = { day: String(day.subtract({ days: 1 })), told: [] };
    await db.transaction(noteMail, [], Date.now(), memory);
    await db.close();
    const servers = await Promise.all([startServer({ env }), startServer({ env })]);
    const said = () => servers.map((server) => server.said()).join();
    await expect.poll(said).toContain(`Mailed the alert of ${day}`);
    await Promise.all(servers.map((server) => server.stop('SIGTERM')));
    const alerts = smtp.received.filter(({ subject }) => subject?.includes('The site'));
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.text).toContain(`https://site.example/report?from=${day}&to=${day}`);
  });
});
