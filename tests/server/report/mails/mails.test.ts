/**
 * The report of each week and the alert of a day. The last test has real servers, and their
 * processes that read reports.
 */
import { describe, expect, test, vi } from 'vitest';
import type { Click } from '../../../../server/clicks/click.ts';
import { type Database, openDatabase } from '../../../../server/database/database.ts';
import type { Mail } from '../../../../server/mail/smtp.ts';
import { dueDay, dueWeek } from '../../../../server/report/mails/mails.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import type { ViewRow } from '../../../../server/visits/view.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, postgresEnv } from '../../../helpers/server/databases.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { readInProcess } from '../../../helpers/server/read-in-process.ts';
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

type Day = [clicks: number, visits: number];

/** Stores people's clicks and visits of yesterday and of the same weekday before, and clicks that do not count. */
async function storeDays(db: Database, yesterday: Day, earlier: Day, weeks = 4) {
  const day = dueDay(Date.now(), 'UTC');
  const clicks: Click[] = [];
  const visits: ViewRow[] = [];
  const add = ([n, m]: Day, weeksAgo: number, mark = {}) => {
    const noon = Date.parse(`${day.subtract({ weeks: weeksAgo })}T12:00:00Z`);
    const click = () => clickRow(noon, mark);
    clicks.push(...Array.from({ length: n }, click));
    visits.push(...Array.from({ length: m }, () => visitRow(noon)));
  };
  add(yesterday, 0);
  for (let week = 1; week <= weeks; week++) add(earlier, week);
  for (const mark of [{ is_bot: true }, { is_internal: true }]) add([30, 0], 0, mark);
  await storeRows(db, clicks, visits);
  return day;
}

test.each<[name: string, isMailed: boolean, now: Day, earlier: Day, weeks?: number]>([
  ['a fall', true, [10, 90], [40, 90]],
  ['a fall that chance can do', false, [14, 90], [40, 90]],
  ['a jump', true, [90, 90], [40, 90]],
  ['no clicks of many visits', true, [0, 60], [6, 60]],
  ['no clicks of few visits', false, [0, 20], [6, 20]],
  ['no clicks where few are usual', false, [0, 60], [3, 60]],
  ['a jump of few clicks', false, [25, 60], [6, 60]],
  ['less than half as many more', false, [290, 90], [200, 90]],
  ['a fall against one weekday', false, [10, 90], [40, 90], 1],
  ['no clicks of many visits on a young site', true, [0, 90], [40, 90], 1],
  ['no clicks on the first day', false, [0, 90], [0, 0], 0],
])('mails an alert of %s: %s', async (_, isMailed, now, earlier, weeks) => {
  const subjects: string[] = [];
  const send = async (_from: string, { subject }: Mail) => void subjects.push(subject);
  const site = await startApp({
    env: { SMTP_URL: 'smtp://localhost', REPORT_MAIL_TO },
    jobs: [],
    senders: { reports: { send, read: readInProcess } },
  });
  await storeDays(site.data.db, now, earlier, weeks);
  await site.step('report-mails');
  const subject = expect.stringMatching(`: ${now[0]} clicks on .+, usually ${earlier[0]}$`);
  expect(subjects.filter((one) => one.includes('usually'))).toEqual(isMailed ? [subject] : []);
  // The report of the week, without regard to the alert.
  expect(subjects.filter((one) => one.includes('clicks from'))).toHaveLength(1);
});

describe.each(DATABASES)('the weekly mail on $name', ({ makeEnv }) => {
  test('comes once to all addresses, after a refusal and from the next process too, with the page', async () => {
    const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 451 : 250) });
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url, REPORT_MAIL_TO, LOG_LEVEL: 'debug' };
    const dataDir = makeDataDir();
    const start = () =>
      startApp({ env, dataDir, jobs: [], senders: { reports: { read: readInProcess } } });
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
        senders: { reports: { send, read: readInProcess } },
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

  test('mail the alert once, with the figures and the places to look at', async () => {
    const smtp = await startSmtpServer();
    const { DATABASE_URL = '', ...keys } = await makeEnv();
    const env = { ...keys, DATABASE_URL, SMTP_URL: smtp.url, REPORT_MAIL_TO };
    const db = await openDatabase([DATABASE_URL], '');
    const day = await storeDays(db, [0, 90], [40, 80]);
    await db.close();
    const servers = await Promise.all([startServer({ env }), startServer({ env })]);
    const said = () => servers.map((server) => server.said()).join();
    await expect.poll(said).toContain(`Mailed the alert of ${day}`);
    await Promise.all(servers.map((server) => server.stop('SIGTERM')));
    const [alert, ...more] = smtp.received.filter(({ subject }) => subject?.includes('usually'));
    expect(more).toEqual([]);
    expect(alert?.text).toMatch(/Visits: 90\. On the 4 \w+days before: 80 on average\./);
    expect(alert?.text).toContain(`https://site.example/report?from=${day}&to=${day}`);
  });
});
