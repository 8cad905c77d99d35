/** The report of each week and the alert of a day, by the real server and a real SMTP server. */
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Click } from '../../../../server/clicks/click.ts';
import { type Database, openDatabase } from '../../../../server/database/database.ts';
import { dueDay, dueWeek, startReportMails } from '../../../../server/report/mails/mails.ts';
import { readSettings } from '../../../../server/settings.ts';
import { DAY_MS, HOUR_MS } from '../../../../server/time.ts';
import type { Visit } from '../../../../server/visits/visits.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES } from '../../../helpers/server/databases.ts';
import { clickRow, storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { makeDataDir, startApp } from '../../../helpers/server/server-app.ts';
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

type Day = [clicks: number, visits: number];

/** Stores people's clicks and visits of yesterday and of the same weekday before, and clicks that do not count. */
async function storeDays(db: Database, yesterday: Day, earlier: Day, weeks = 4) {
  const day = dueDay(Date.now(), 'UTC');
  const clicks: Click[] = [];
  const visits: Visit[] = [];
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
  const smtp = await startSmtpServer();
  const { config, data } = await startApp({ env: { SMTP_URL: smtp.url, REPORT_MAIL_TO } });
  const day = await storeDays(data.db, now, earlier, weeks);
  const said: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line) => void said.push(line) });
  const stop = startReportMails({ settings: config, db: data.db, site: SITE, log });
  await expect.poll(() => said.join()).toContain(`alert of ${day}`);
  await stop();
  const subjects = smtp.received.map(({ subject }) => subject);
  const subject = expect.stringMatching(`: ${now[0]} clicks on .+, usually ${earlier[0]}$`);
  expect(subjects.filter((one) => one?.includes('usually'))).toEqual(isMailed ? [subject] : []);
});

describe.each(DATABASES)('the weekly mail on $name', ({ makeEnv }) => {
  test('comes once to all addresses, after a refusal and a SIGKILL too, with the page', async () => {
    const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 451 : 250) });
    const env = { ...(await makeEnv()), SMTP_URL: smtp.url, REPORT_MAIL_TO };
    const dataDir = makeDataDir();
    const { from, to } = dueWeek(Date.now(), 'UTC');
    const [first, last] = [Date.parse(from), Date.parse(to) + DAY_MS - 1];
    const { databaseUrls, files } = readSettings({ ...env, DATA_DIR: dataDir });
    const db = await openDatabase(databaseUrls.map(String), files.database);
    const times = [first - 1, first, last, last + 1];
    const clicks = times.map((at) => clickRow(at, { referrer: 'clinic-7' }));
    await storeRows(db, clicks);
    await db.close();

    const refused = await startServer({ dataDir, env });
    await expect.poll(refused.said).toContain('could not be mailed');
    await refused.stop('SIGKILL');
    const server = await startServer({ dataDir, env });
    await expect.poll(server.said).toContain(`Mailed the report from ${from} to ${to}`);
    await server.stop('SIGKILL');
    const again = await startServer({ dataDir, env: { ...env, LOG_LEVEL: 'debug' } });
    await expect.poll(again.said).toContain(`from ${from} to ${to} was mailed before`);
    expect(await again.stop('SIGTERM')).toBe(0);

    expect(smtp.received).toHaveLength(2);
    const [, mail] = smtp.received;
    expect(mail?.envelope.to).toEqual(['growth@site.example', 'team@site.example']);
    expect(mail?.messageId).toBe(smtp.received[0]?.messageId);
    expect(mail?.subject).toContain(`clicks from ${from} to ${to}`);
    expect(mail?.text).toContain(`Visits: 0 (0 in the week before)
Clicks: 2 (+1 from 1 in the week before)
Clicks per 100 visits: too few visits (too few visits in the week before)
`);
    const [page] = mail?.attachments ?? [];
    expect(page).toMatchObject({ filename: `report-${from}.html`, mimeType: 'text/html' });
    expect(new TextDecoder().decode(page?.content as ArrayBuffer)).toContain('<dd class="big">2<');
  });
});

// SQLite is for one server.
describe.each(DATABASES.slice(1))('the alert on $name', ({ makeEnv }) => {
  test('comes once from two servers, with the figures and the places to look at', async () => {
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
