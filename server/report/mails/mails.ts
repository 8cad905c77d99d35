/**
 * Mails the report of each week, what is unusual on a day, and hours without a visit, to
 * REPORT_MAIL_TO: once, from one of the servers. A row in `report_mails` says that the SMTP server
 * has taken the mail. After a crash in between, the mail is sent again with the same Message-ID.
 */
import type { Logger } from 'pino';
import type { Mail } from '../../mail/smtp.ts';
import type { Settings } from '../../settings.ts';
import { type Clock, HOUR_MS } from '../../time.ts';
import type { Memory } from '../causes/read-news.ts';
import { NOTHING, totalsOf } from '../figures/numbers.ts';
import { type ReportSource, readReport } from '../figures/read-report.ts';
import type { Report } from '../figures/report.ts';
import { printPage } from '../page/print-page.ts';
import { dateOf } from '../question.ts';
import {
  type LookForNews,
  lookInProcess,
  readMemory,
  withHole,
  writeHole,
  writeNews,
} from './alert.ts';
import { noteMail } from './note-mail.ts';

/** Hour in the team's time zone: before its work begins. */
const DUE_HOUR = 6;

interface Parts extends ReportSource {
  settings: Settings;
  log: Pick<Logger, 'error' | 'info' | 'debug'>;
  /** Gives a mail to the SMTP server. */
  send: (from: string, mail: Mail) => Promise<void>;
  /** Reads a report in a process of its own. */
  read?: typeof readReport | undefined;
  /** Looks for news in a process of its own. */
  look?: LookForNews | undefined;
  now?: Clock | undefined;
}

interface Written {
  id: string;
  name: string;
  /** null: nothing is worth a mail. */
  make: () => Promise<Omit<Mail, 'id' | 'to' | 'date'> | null>;
  /** What the mail tells, for the next look. */
  memory?: Memory;
}

export function createReportMails(parts: Parts) {
  const { settings, db, site, log, send, read = readReport, look = lookInProcess } = parts;
  const { now = Date.now } = parts;
  const from = settings.MAIL_FROM ?? site.mail.contactEmail;
  /** Ids of weekly mails that need no other look. */
  const done = new Set<string>();

  const sendOnce = async ({ id, name, make, memory = undefined }: Written): Promise<void> => {
    const [sent] = await db.read('SELECT 1 FROM report_mails WHERE id = $1', [id]);
    const mail = sent ? null : await make();
    if (!mail) return log.debug(`The ${name} ${sent ? 'was mailed before' : 'is not needed'}`);
    await send(from, { ...mail, id, to: settings.REPORT_MAIL_TO, date: new Date(now()) });
    await db.transaction(noteMail, id, now(), memory ?? null);
    log.info(`Mailed the ${name}`);
  };
  const sendWeek = async (source: ReportSource): Promise<void> => {
    const mail = dueReport(source, now(), read);
    if (done.has(mail.id)) return;
    await sendOnce(mail);
    done.add(mail.id);
  };
  const sendNews = async (source: ReportSource): Promise<void> => {
    const day = String(dueDay(now(), site.timeZone));
    const before = await readMemory(db);
    const order = { timeZone: site.timeZone, day, memory: before, now: now() };
    const news = await look(source, order);
    const { memory, hole } = news;
    const mail = await writeNews(source, news);
    if (mail)
      await sendOnce({
        id: `alert-${day}`,
        name: `alert of ${day}`,
        make: async () => mail,
        memory,
      });
    else if (memory.day !== before?.day) await db.transaction(noteMail, null, now(), memory);
    if (!hole) return;
    const make = () => writeHole(source, hole);
    const id = `hole-${hole.since}`;
    await sendOnce({ id, name: `hole since ${hole.since}`, make, memory: withHole(memory, hole) });
  };
  const listDue = () => [
    { name: dueReport(parts, now(), read).name, sendIt: sendWeek },
    { name: `alert of ${dueDay(now(), site.timeZone)}`, sendIt: sendNews },
  ];
  const logFailure = (name: string, { message: reason }: Error): void =>
    log.error({ reason }, `The ${name} could not be mailed. The server tries again in an hour`);

  return {
    /** Sends each mail that is due and was not sent. One that fails waits for the next call. */
    async sendDue(signal: AbortSignal): Promise<void> {
      for (const { name, sendIt } of listDue()) {
        try {
          await sendIt({ ...parts, signal });
        } catch (cause) {
          if (signal.aborted) break;
          logFailure(name, cause as Error);
        }
      }
    },
    /** Logs that no due mail could be sent. */
    logFailures: (cause: Error): void => {
      for (const { name } of listDue()) logFailure(name, cause);
    },
  };
}

function dueReport(source: ReportSource, now: number, read: typeof readReport) {
  const { timeZone, mail } = source.site;
  const { from, to } = dueWeek(now, timeZone);
  const make = async () => {
    const report = await read(source, { from, to }, now);
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

/** @returns the last day that ended before the latest 06:00. @param now milliseconds since 1970 */
export const dueDay = (now: number, timeZone: string): Temporal.PlainDate =>
  dateOf(now - DUE_HOUR * HOUR_MS, timeZone).subtract({ days: 1 });

/**
 * @param now milliseconds since 1970
 * @returns first and last day of the last week that ended before the latest Monday, 06:00:
 * `2026-01-26` and `2026-02-01`
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
