/**
 * Mails the report of each week to REPORT_MAIL_TO: once, from one of the servers. A row in `weekly_mails` says that the SMTP server has
 * taken it. After a crash in between the mail is sent again, with the same Message-ID.
 */
import type { Logger } from 'pino';
import { write } from '../database/database.ts';
import { sendMail } from '../mail/smtp.ts';
import { repeat } from '../process/failures.ts';
import type { Settings } from '../settings.ts';
import { change, changeOfRate, rate, whole } from './numbers.ts';
import { printHtml } from './print-html.ts';
import { readQuestion } from './question.ts';
import { type ReportSource, readReport } from './read-report.ts';
import type { Report } from './report.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Hour of Monday in the team's time zone: before the team's work begins. */
const DUE_HOUR = 6;
/** How long a stopping server waits for the mail under way. */
const LAST_MAIL_MS = 500;
const NOTE = 'INSERT INTO weekly_mails (week, sent_at) VALUES ($1, $2) ON CONFLICT DO NOTHING';

interface Parts extends ReportSource {
  settings: Settings;
  log: Pick<Logger, 'error' | 'info' | 'debug'>;
}

/** Looks now and once an hour. @returns a function that ends it */
export function startWeeklyMail(parts: Parts): () => Promise<void> {
  const { settings, log } = parts;
  const { smtpUrl, reportMailTo } = settings;
  if (reportMailTo.length === 0 || !smtpUrl) return async () => {};
  const look = async (signal: AbortSignal) => {
    await sendDueReport({ ...parts, signal }, smtpUrl);
    return HOUR_MS;
  };
  const failed = (reason: string) => {
    log.error(
      { reason },
      'The weekly report could not be mailed. The server tries again in an hour',
    );
    return HOUR_MS;
  };
  return repeat(look, { add: failed }, LAST_MAIL_MS);
}

async function sendDueReport(parts: Parts, smtpUrl: URL): Promise<void> {
  const { settings, db, site, log } = parts;
  const { from, to } = dueWeek(Date.now(), site.timeZone);
  const isSent = async () =>
    (await db.read('SELECT 1 FROM weekly_mails WHERE week = $1', [from])).length > 0;
  if (await isSent()) return log.debug(`The report from ${from} to ${to} was mailed before`);
  // Another server may have mailed it just now.
  if (!(await db.holds('weekly-mail')) || (await isSent())) return;
  const report = await readReport(parts, readQuestion({ from, to }, site.timeZone, Date.now()));
  await sendMail(smtpUrl, settings.mailFrom ?? site.mail.contactEmail, {
    id: `report-${from}`,
    to: settings.reportMailTo,
    date: new Date(),
    subject: `${site.mail.productName}: clicks from ${from} to ${to}`,
    text: printText(report),
    attachments: [
      {
        filename: `report-${from}.html`,
        content: printHtml(report, false),
        contentType: 'text/html; charset=utf-8',
      },
    ],
  });
  await write(db, NOTE, [from, Date.now()]);
  log.info(`Mailed the report from ${from} to ${to}`);
}

/**
 * @param now milliseconds since 1970
 * @returns first and last day of the last week that ended before the latest Monday, 06:00: `2026-01-26` and `2026-02-01`
 */
export function dueWeek(now: number, timeZone: string): { from: string; to: string } {
  const day = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(timeZone)
    .subtract({ hours: DUE_HOUR })
    .toPlainDate();
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  return { from: String(monday.subtract({ days: 7 })), to: String(monday.subtract({ days: 1 })) };
}

function printText({ question, now, before, hasForm }: Report): string {
  const { from, to, timeZone } = question;
  const compared = (n: number, earlier: number) =>
    `${whole(n)} (${change(n, earlier)} from ${whole(earlier)} in the week before)`;
  const totals = [
    `Visits: ${compared(now.visits, before.visits)}`,
    `Clicks: ${compared(now.clicks, before.clicks)}`,
    `Clicks per 100 visits: ${rate(now)} (${changeOfRate(now, before)})`,
    ...(hasForm ? [`Registrations: ${compared(now.registrations, before.registrations)}`] : []),
  ];
  return `From ${from} to ${to}, time zone ${timeZone}

${totals.join('\n')}

The attached page has all figures. Open it in a browser.
`;
}
