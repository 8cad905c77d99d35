/** Plans the report of each week once, over all servers and restarts. A thread makes and sends it. */
import type { Logger } from 'pino';
import type { ServerClock } from '../../clock/server-clock.ts';
import type { Config } from '../../config.ts';
import { newId } from '../../database/new-id.ts';
import { startMailWorker } from '../../registrations/mail/start-mail-worker.ts';
import { ownerOf } from '../../registrations/open-registrations.ts';
import { dueWeek } from './due-week.ts';
import { openReportMails } from './report-mail-store.ts';
import type { ReportMailData } from './report-mail-worker.ts';

const LOOK_MS = 10 * 60_000;
const LAST_MAIL_MS = 500;

export interface WeeklyMail {
  /** Waits a moment for the mail under way. */
  close(): Promise<void>;
}

/** @param from the sender, if MAIL_FROM does not name one */
export async function openWeeklyMail(
  config: Config,
  from: string,
  log: Logger,
  clock: Pick<ServerClock, 'now' | 'reference'>,
): Promise<WeeklyMail> {
  const store = await openReportMails(config);
  const thread = new URL('./report-mail-worker.ts', import.meta.url);
  const mailer = startMailWorker<ReportMailData>(thread, dataOf(config, from), store, log, () =>
    clock.reference(),
  );
  const plan = async () => {
    const now = await clock.now();
    // The clock may be ahead: a later look plans the week.
    if (now === null) return;
    await store.plan({ id: newId(), week: dueWeek(now), createdAt: new Date(now) });
    if (await store.hasWaitingMails()) mailer.wake();
  };
  // The database is away. The next look plans the week.
  const look = () => void plan().catch(() => {});
  const timer = setInterval(look, LOOK_MS).unref();
  look();
  return {
    async close() {
      clearInterval(timer);
      await mailer.stop(LAST_MAIL_MS);
      await store.close();
    },
  };
}

const dataOf = (config: Config, from: string): Omit<ReportMailData, 'clock'> => ({
  databaseUrl: config.databaseUrl?.href ?? null,
  registrationsFile: config.files.registrations,
  smtpUrl: config.smtpUrl?.href ?? null,
  folder: config.files.mail,
  from: config.mailFrom ?? from,
  owner: ownerOf(config),
  clockFile: config.files.clock,
  report: {
    dataDir: config.dataDir,
    folders: config.reportLedgers,
    campaignsFile: config.campaignsFile,
    to: config.reportMailTo,
    isPartial: config.databaseUrl !== null && config.reportLedgers.length === 0,
  },
});
