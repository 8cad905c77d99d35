/** Deletes what is too old: clicks, visits, registrations and log files. The totals stay in `click_counts`. */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LOG_DAYS } from '#contract/limits.ts';
import { deleteDailyFiles } from './clicks/daily-file.ts';
import { clicksKeptSince, deleteClicks } from './clicks/delete-clicks.ts';
import type { Database } from './database/database.ts';
import { deleteOldRegistrations } from './registrations/store-registrations.ts';
import { deleteVisits } from './visits/visits.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

interface Parts {
  db: Database;
  /** DATA_DIR. */
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'registrationRetentionDays'>;
  log: Pick<Logger, 'info' | 'error'>;
  now?: (() => number) | undefined;
}

/** Runs now and once an hour. @returns a function that ends it after the transaction under way */
export function startRetention({ db, folder, site, log, now = Date.now }: Parts) {
  const { clickRetentionDays: clickDays, registrationRetentionDays: registrationDays } = site;
  let isStopped = false;
  const deleteRows = async (work: typeof deleteClicks, before: number): Promise<number> => {
    let deleted = 0;
    for (let n = SLICE; n === SLICE && !isStopped; deleted += n)
      n = await db.transaction(work, before, SLICE);
    return deleted;
  };
  const say = (deleted: number, what: string, days: number) => {
    if (deleted > 0) log.info(`Deleted ${what} older than ${days} days: ${deleted}`);
  };
  const deleteOld = async () => {
    const logDays = Math.min(LOG_DAYS, clickDays || LOG_DAYS);
    for (const name of ['clicks', 'refused'])
      deleteDailyFiles(folder, name, now() - logDays * DAY_MS);
    if (clickDays > 0) {
      const before = clicksKeptSince(clickDays, now());
      say(await deleteRows(deleteClicks, before), 'clicks', clickDays);
      await deleteRows(deleteVisits, before);
    }
    if (registrationDays > 0) {
      const deleted = await deleteRows(deleteOldRegistrations, now() - registrationDays * DAY_MS);
      if (deleted > 0) await db.overwriteDeleted(['registrations', 'mail_outbox']);
      say(deleted, 'registrations', registrationDays);
    }
  };
  const run = () => deleteOld().catch((err) => log.error({ err }, 'Old data could not be deleted'));
  let running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, HOUR_MS).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
