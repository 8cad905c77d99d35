/**
 * Mails the report of each week, and an alert after an unusual day, to REPORT_MAIL_TO: once, from one of the servers. A row in
 * `report_mails` says that the SMTP server has taken it. After a crash in between the mail is sent again, with the same Message-ID.
 */

import type { Logger } from 'pino';
import { write } from '../../database/database.ts';
import { sendMail } from '../../mail/smtp.ts';
import { repeat } from '../../process/repeat.ts';
import type { Settings } from '../../settings.ts';
import { HOUR_MS } from '../../time.ts';
import { NOTHING, totalsOf } from '../figures/numbers.ts';
import { type ReportSource, readReport } from '../figures/read-report.ts';
import type { Report } from '../figures/report.ts';
import { printPage } from '../page/print-page.ts';
import { dateOf } from '../question.ts';
import { makeAlert } from './alert.ts';

/** Hour in the team's time zone: before its work begins. */
const DUE_HOUR = 6;
/** How long a stopping server waits for the mail under way. */
const LAST_MAIL_MS = 500;
const NOTE = 'INSERT INTO report_mails (id, sent_at) VALUES ($1, $2) ON CONFLICT DO NOTHING';

interface Parts extends ReportSource {
  settings: Settings;
  log: Pick<Logger, 'error' | 'info' | 'debug'>;
}

type DueMail = ReturnType<typeof dueReport> | ReturnType<typeof dueAlert>;

/** Looks now and once an hour. @returns a function that ends it */
export function startReportMails(parts: Parts): () => Promise<void> {
  const { settings, log } = parts;
  const { SMTP_URL: smtpUrl, REPORT_MAIL_TO: to } = settings;
  if (to.length === 0 || !smtpUrl) return async () => {};
  /** Mails that need no other look. */
  const done = new Set<string>();
  const look = async (signal: AbortSignal) => {
    const all = { ...parts, signal };
    for (const mail of [dueReport(all), dueAlert(all)]) {
      if (done.has(mail.id)) continue;
      try {
        if (await sendOnce(parts, mail, smtpUrl)) done.add(mail.id);
      } catch (cause) {
        if (signal.aborted) break;
        const said = `The ${mail.name} could not be mailed. The server tries again in an hour`;
        log.error({ reason: (cause as Error).message }, said);
      }
    }
    return HOUR_MS;
  };
  return repeat(look, { firstPause: HOUR_MS, longestPause: HOUR_MS, lastMs: LAST_MAIL_MS }).stop;
}

/** @returns false: another server does it */
async function sendOnce(parts: Parts, { id, name, make }: DueMail, smtpUrl: URL): Promise<boolean> {
  const { settings, db, site, log } = parts;
  if (!(await db.holds('report-mails'))) return false;
  const [sent] = await db.read('SELECT 1 FROM report_mails WHERE id = $1', [id]);
  const mail = sent ? null : await make();
  if (!mail) {
    log.debug(`The ${name} ${sent ? 'was mailed before' : 'is not needed'}`);
    return true;
  }
  const from = settings.MAIL_FROM ?? site.mail.contactEmail;
  await sendMail(smtpUrl, from, { ...mail, id, to: settings.REPORT_MAIL_TO, date: new Date() });
  await write(db, NOTE, [id, Date.now()]);
  log.info(`Mailed the ${name}`);
  return true;
}

function dueReport(parts: Parts) {
  const { timeZone, mail } = parts.site;
  const { from, to } = dueWeek(Date.now(), timeZone);
  const make = async () => {
    const report = await readReport(parts, { from, to });
    const content = printPage(report);
    const contentType = 'text/html; charset=utf-8';
    return {
      subject: `${mail.productName}: clicks from ${from} to ${to}`,
      text: printText(report),
      attachments: [{ filename: `report-${from}.html`, content, contentType }],
    };
  };
  return { id: `report-${from}`, name: `report from ${from} to ${to}`, make };
}

/** Its mail is null if the day was as usual. */
function dueAlert(parts: Parts) {
  const day = dueDay(Date.now(), parts.site.timeZone);
  return { id: `alert-${day}`, name: `alert of ${day}`, make: () => makeAlert(parts, day) };
}

/** @returns the last day that ended before the latest 06:00. @param now milliseconds since 1970 */
export const dueDay = (now: number, timeZone: string): Temporal.PlainDate =>
  dateOf(now - DUE_HOUR * HOUR_MS, timeZone).subtract({ days: 1 });

/**
 * @param now milliseconds since 1970
 * @returns first and last day of the last week that ended before the latest Monday, 06:00: `2026-01-26` and `2026-02-01`
 */
export function dueWeek(now: number, timeZone: string): { from: string; to: string } {
  const day = dueDay(now, timeZone).add({ days: 1 });
  const monday = day.subtract({ days: day.dayOfWeek - 1 });
  return { from: String(monday.subtract({ days: 7 })), to: String(monday.subtract({ days: 1 })) };
}

function printText(report: Report): string {
  const lines = totalsOf(report).map(({ name, figure, difference, earlier }) => {
    const from = difference === NOTHING ? '' : `${difference} from `;
    const words = `${name}: ${figure} (${from}${earlier} in the week before)\n`;
    return words.replaceAll(NOTHING, 'too few visits');
  });
  const { from, to, timeZone } = report.question;
  return `From ${from} to ${to}, time zone ${timeZone}

${lines.join('')}
The attached page has all figures. Open it in a browser.
`;
}
