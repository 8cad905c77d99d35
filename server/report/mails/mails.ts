/**
 * Mails the news of each week, what is unusual on a day, hours without a visit, and faults that the
 * site's own walk has found, to REPORT_MAIL_TO: once, from one of the servers. A row in
 * `report_mails` says that the SMTP server has taken the mail. After a crash in between, the mail
 * is sent again with the same Message-ID.
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

interface Parts extends ReportSource {
  settings: Settings;
  log: Pick<Logger, 'error' | 'info' | 'debug'>;
  /** null: a site on the machine of somebody who tries it. */
  siteWatch: Pick<SiteWatch, 'facts'> | null;
  /** Gives a mail to the SMTP server. */
  send: (from: FromAddress, mail: Mail) => Promise<void>;
  /** Reads a report in a process of its own. */
  read?: typeof readReport | undefined;
  /** Looks for news in a process of its own. */
  look?: LookForNews | undefined;
  now?: Clock | undefined;
}

const WALK = 'alert of the walk over the site';

interface Written {
  /** Of the mail. */
  id: string;
  /** Of what it says, if it says more than one thing. */
  ids?: readonly string[];
  name: string;
  list: 'week' | 'alert';
  /** null: nothing is worth a mail. */
  make: () => Promise<Letter | null>;
  /** What the mail tells, for the next look. */
  memory?: Memory;
}

export function createReportMails(parts: Parts) {
  const { db, site, siteWatch, log, read = readReport, look = lookInProcess } = parts;
  const { now = Date.now } = parts;
  const sendOnce = createSendOnce(parts);
  /** Ids of weekly mails that need no other look. */
  const done = new Set<string>();

  const sendWeek = async (source: ReportSource): Promise<void> => {
    const week = dueWeek(now(), site.timeZone);
    const id = `report-${week.from}`;
    if (done.has(id)) return;
    const make = () => writeWeek(source, week, now(), read);
    await sendOnce({ id, name: nameOfWeek(), list: 'week', make });
    done.add(id);
  };
  const sendNews = async (source: ReportSource): Promise<void> => {
    const day = String(dueDay(now(), site.timeZone));
    const before = await readMemory(db);
    const order = { timeZone: site.timeZone, day, memory: before, now: now() };
    const news = await look(source, order);
    const { memory, hole } = news;
    const letter = await writeNews(source, news);
    const make = async () => letter;
    if (letter)
      await sendOnce({ id: `alert-${day}`, name: `alert of ${day}`, list: 'alert', make, memory });
    else if (memory.day !== before?.day) await db.transaction(noteMail, [], now(), memory);
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
    await sendOnce({ ...news, name: WALK, list: 'alert', make });
  };
  const nameOfWeek = () => {
    const { from, to } = dueWeek(now(), site.timeZone);
    return `report from ${from} to ${to}`;
  };
  /** The week comes last, because it names what the look before it has found. */
  const listDue = () => [
    ...(siteWatch?.facts() ? [{ name: WALK, sendIt: sendFaults }] : []),
    { name: `alert of ${dueDay(now(), site.timeZone)}`, sendIt: sendNews },
    { name: nameOfWeek(), sendIt: sendWeek },
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

const LIST_NAMES = { week: 'the week', alert: 'alerts' };

/** Returns a function that sends a mail, unless its id is in the table, and notes it there. */
function createSendOnce({ settings, db, site, log, send, now = Date.now }: Parts) {
  const { productName: name, contactEmail: address } = site.mail;
  const from = { name, address, ...settings.MAIL_FROM };
  // A sender without a name of its own has the product's: readers of these mails work on it.
  const sender = { ...from, name: from.name || name };
  const listOf = (list: Written['list']) => ({
    id: `${list}.${new URL(site.siteUrl).hostname}`,
    name: `${name}: ${LIST_NAMES[list]}`,
  });
  return async (written: Written): Promise<void> => {
    const { id, ids = [id], make, list, memory = null } = written;
    const [sent] = await db.read('SELECT 1 FROM report_mails WHERE id = $1', [id]);
    const letter = sent ? null : await make();
    if (!letter)
      return log.debug(`The ${written.name} ${sent ? 'was mailed before' : 'is not needed'}`);
    const mail = { id, to: settings.REPORT_MAIL_TO, date: new Date(now()), list: listOf(list) };
    await send(sender, { ...mail, ...writeLetter(letter) });
    await db.transaction(noteMail, ids, now(), memory);
    log.info(`Mailed the ${written.name}`);
  };
}
