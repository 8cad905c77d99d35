/**
 * Sends the mails of the report to REPORT_MAIL_TO: the week, alerts about unusual days, hours
 * without a visit, and faults that the site's own walk has found. Each is sent once, by one of the
 * servers: a row in `report_mails` notes it after the SMTP server has taken it. After a crash in
 * between, the mail is sent again with the same Message-ID, so that mailboxes can recognise it.
 */
import type { Logger } from 'pino';
import type { FromAddress, Mail } from '../../mail/smtp.ts';
import type { Settings } from '../../settings.ts';
import type { Clock } from '../../time.ts';
import type { SiteWatch } from '../../watch/watch-site.ts';
import type { Memory } from '../causes/read-news.ts';
import { type ReportSource, readReport } from '../figures/read-report.ts';
import {
  type LookForNews,
  lookInProcess,
  readMemory,
  withHole,
  writeHole,
  writeNews,
} from './alert.ts';
import { type Letter, writeLetter } from './letter.ts';
import { noteMail } from './note-mail.ts';
import { readFaultNews, writeFaults } from './site-faults.ts';
import { dueDay, dueWeek, writeWeek } from './week.ts';

interface ReportMailParts extends ReportSource {
  settings: Settings;
  log: Pick<Logger, 'error' | 'info' | 'debug'>;
  /** null: a local site, which has no public address to walk over. */
  siteWatch: Pick<SiteWatch, 'facts'> | null;
  /** Hands a mail to the SMTP server. */
  send: (from: FromAddress, mail: Mail) => Promise<void>;
  /** Reads a report. Default: in a process of its own. */
  read?: typeof readReport | undefined;
  /** Looks for news. Default: in a process of its own. */
  look?: LookForNews | undefined;
  now?: Clock | undefined;
}

/** Name of the mail about faults of the site, in log messages. */
const FAULT_MAIL_NAME = 'alert of the walk over the site';

/** A mail that is due. */
interface DueMail {
  /** Id of the mail, also in its Message-ID. */
  id: string;
  /** Ids that are noted when it was sent, if they are others: one for each fault that it names. */
  ids?: readonly string[];
  /** Name of the mail in log messages. */
  name: string;
  /** List-Id of the mail, by which readers can filter. */
  list: 'week' | 'alert';
  /** Writes the mail. Null: nothing is worth a mail. */
  make: () => Promise<Letter | null>;
  /** State for the next look, which is stored when the mail was sent. */
  memory?: Memory;
}

/** Creates the sender. A job calls `sendDue` each hour. */
export function createReportMails(parts: ReportMailParts) {
  const { db, site, siteWatch, log, read = readReport, look = lookInProcess } = parts;
  const { now = Date.now } = parts;
  const sendOnce = createSendOnce(parts);
  /** Ids of weekly mails that are sent or not needed, so that they are not written each hour. */
  const settledWeeks = new Set<string>();

  const sendWeek = async (source: ReportSource): Promise<void> => {
    const week = dueWeek(now(), site.timeZone);
    const id = `report-${week.from}`;
    if (settledWeeks.has(id)) return;
    const make = () => writeWeek(source, week, now(), read);
    await sendOnce({ id, name: nameOfWeek(), list: 'week', make });
    settledWeeks.add(id);
  };
  const sendNews = async (source: ReportSource): Promise<void> => {
    const day = String(dueDay(now(), site.timeZone));
    const memoryBefore = await readMemory(db);
    const order = { timeZone: site.timeZone, day, memory: memoryBefore, now: now() };
    const news = await look(source, order);
    const { memory, hole } = news;
    const letter = await writeNews(source, news);
    const make = async () => letter;
    if (letter)
      await sendOnce({ id: `alert-${day}`, name: `alert of ${day}`, list: 'alert', make, memory });
    else if (memory.day !== memoryBefore?.day) await db.transaction(noteMail, [], now(), memory);
    if (!hole) return;
    await sendOnce({
      id: `hole-${hole.since}`,
      name: `hole since ${hole.since}`,
      list: 'alert',
      make: () => writeHole(source, hole),
      memory: withHole(memory, hole),
    });
  };
  const sendFaults = async (): Promise<void> => {
    const faults = siteWatch?.facts();
    const news = faults && (await readFaultNews(db, faults, now()));
    if (!news) return;
    const make = async () => writeFaults(news, site, now());
    await sendOnce({ ...news, name: FAULT_MAIL_NAME, list: 'alert', make });
  };
  const nameOfWeek = () => {
    const { from, to } = dueWeek(now(), site.timeZone);
    return `report from ${from} to ${to}`;
  };
  /** Lists the mails to try. The week is last, because it reads the facts that the look stores. */
  const listDue = () => [
    ...(siteWatch?.facts() ? [{ name: FAULT_MAIL_NAME, sendIt: sendFaults }] : []),
    { name: `alert of ${dueDay(now(), site.timeZone)}`, sendIt: sendNews },
    { name: nameOfWeek(), sendIt: sendWeek },
  ];
  const logFailure = (name: string, { message: reason }: Error): void =>
    log.error({ reason }, `The ${name} could not be mailed. The server tries again in an hour`);

  return {
    /** Sends each mail that is due and was not sent. A mail that fails waits for the next call. */
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
    /** Logs that none of the due mails could be sent. */
    logFailures: (cause: Error): void => {
      for (const { name } of listDue()) logFailure(name, cause);
    },
  };
}

/** Names of the mailing lists, for their List-Id. */
const LIST_NAMES = { week: 'the week', alert: 'alerts' };

/** Makes a function that sends a mail unless `report_mails` has its id, and then notes it there. */
function createSendOnce({ settings, db, site, log, send, now = Date.now }: ReportMailParts) {
  const { productName: name, contactEmail: address } = site.mail;
  const from = { name, address, ...settings.MAIL_FROM };
  // Without a name in MAIL_FROM, the sender has the product's name. It reveals nothing about the
  // readers, because they work on the product.
  const sender = { ...from, name: from.name || name };
  const listOf = (list: DueMail['list']) => ({
    id: `${list}.${new URL(site.siteUrl).hostname}`,
    name: `${name}: ${LIST_NAMES[list]}`,
  });
  return async (due: DueMail): Promise<void> => {
    const { id, ids = [id], make, list, memory = null } = due;
    const [sent] = await db.read('SELECT 1 FROM report_mails WHERE id = $1', [id]);
    const letter = sent ? null : await make();
    if (!letter)
      return log.debug(`The ${due.name} ${sent ? 'was mailed before' : 'is not needed'}`);
    const mail = { id, to: settings.REPORT_MAIL_TO, date: new Date(now()), list: listOf(list) };
    await send(sender, { ...mail, ...writeLetter(letter) });
    await db.transaction(noteMail, ids, now(), memory);
    log.info(`Mailed the ${due.name}`);
  };
}
