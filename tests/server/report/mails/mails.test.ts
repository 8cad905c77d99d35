/**
 * The report of each week and the alert of a day. The last test has real servers, and their
 * processes that read reports.
 */
import { describe, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../../../server/database/database.ts';
import { nameLink } from '../../../../server/links/known-links.ts';
import type { Mail } from '../../../../server/mail/smtp.ts';
import { readFacts } from '../../../../server/report/causes/read-facts.ts';
import { dueDay, dueWeek } from '../../../../server/report/mails/mails.ts';
import { noteMail } from '../../../../server/report/mails/note-mail.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, postgresEnv } from '../../../helpers/server/databases.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { lookHere, readInProcess } from '../../../helpers/server/read-in-process.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { makeDataDir, type Site, startApp } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

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

/** Stores four weeks before a day, of 10 clicks and 40 visits each. */
async function storeUsualDays(db: Database, day: Temporal.PlainDate) {
  for (let days = 1; days <= 28; days++) await storeDay(db, day.subtract({ days }), 10, 40);
}

/** A site whose clock and mails a test has. Its alerts are looked for in this process. */
async function startMailing(env = {}) {
  const clock = { now: Date.parse('2026-11-19T12:00:00Z'), refuses: false };
  const mails: Mail[] = [];
  const send = async (_from: string, mail: Mail) => {
    if (clock.refuses) throw new Error('451');
    mails.push(mail);
  };
  const site = await startApp({
    env: { ...env, SMTP_URL: 'smtp://localhost', REPORT_MAIL_TO },
    jobs: [],
    now: () => clock.now,
    senders: { reports: { send, read: readInProcess, look: lookHere } },
  });
  return {
    ...site,
    clock,
    /** Runs the job. @returns the mails that it sent, without those of the week */
    async mailsOf(time: string): Promise<Mail[]> {
      clock.now = Date.parse(time);
      mails.length = 0;
      await site.step('report-mails');
      return mails.filter(({ id }) => !id.startsWith('report-'));
    },
  };
}

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
    expect(lost?.id).toBe(alert?.id);
    expect(more).toEqual([]);
    const news = 'The site: 0 clicks per 100 visits on Thursday, November 19, were 25';
    expect(alert).toMatchObject({
      id: 'alert-2026-11-19',
      subject: expect.stringContaining(`: ${news}`),
      text: `${news}.
https://site.example/report?from=2026-11-19&to=2026-11-19

Press each button of the page. Then look at /healthz.
`,
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
    id: 'hole-2026-11-19T06',
    text: `No visit for 9 hours, since Nov 19, 06:00; 36 visits are usual in this time.
https://site.example/report?from=2026-11-19&to=2026-11-19

Open the site from outside, then look at /healthz.
`,
  });
  expect(await site.mailsOf('2026-11-19T16:30:00Z'), 'an hour later').toEqual([]);
  expect(await site.mailsOf('2026-11-20T12:30:00Z'), 'the next day').toEqual([]);
});

describe.each(DATABASES)('the weekly mail on $name', ({ makeEnv }) => {
  test('comes once to all addresses, after a refusal and from the next process too, with the page', async () => {
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
    const times = [first - 1, first, last, last + 1];
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
    expect(mail?.subject).toContain(`clicks from ${from} to ${to}`);
    expect(mail?.text).toContain(`Visits: 0 (0 in the week before)
Views: 0 (0 in the week before)
Clicks: 2 (+1 from 1 in the week before)
Clicks per 100 visits: too few visits (too few visits in the week before)
`);
    const [page] = mail?.attachments ?? [];
    expect(page).toMatchObject({ filename: `report-${from}.html`, mimeType: 'text/html' });
    expect(new TextDecoder().decode(page?.content as ArrayBuffer)).toContain('<dd class="big">2<');
  });
});

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
    await start();
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
    await db.transaction(noteMail, null, Date.now(), memory);
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
