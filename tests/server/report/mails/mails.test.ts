/**
 * Report mails of several servers, or without a database: each due mail is sent once. The last test
 * has real servers, and their processes that read reports.
 */
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../../server/database/database.ts';
import { noteMail } from '../../../../server/report/mails/note-mail.ts';
import { dueDay, dueWeek } from '../../../../server/report/mails/week.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { DATABASES, postgresEnv } from '../../../helpers/server/databases.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { idOf, REPORT_MAIL_TO, storeDay, storeUsualDays } from '../../../helpers/server/mailing.ts';
import { lookHere, readInProcess } from '../../../helpers/server/read-in-process.ts';
import { storeRows, visitRow } from '../../../helpers/server/rows.ts';
import { startApp } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

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
    const asked = vi.spyOn(two.data.db, 'tryLock');
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
    // On a Monday the weekly report is due too, and has the same news as its subject.
    const alerts = smtp.received.filter((mail) => idOf(mail) === `alert-${day}`);
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.text).toContain(`https://site.example/report?from=${day}&to=${day}`);
  });
});
