/**
 * The work of each hour: counts the clicks on buttons that the server knows now, and deletes what is too old. The totals of deleted
 * clicks stay in `click_counts`.
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LOG_DAYS } from '#contract/limits.ts';
import { deleteDailyFiles } from './clicks/daily-file.ts';
import { clicksKeptSince, firstIdOf, ID_AHEAD_MS } from './clicks/id-time.ts';
import { learnButtons, type StoreOptions } from './clicks/store-clicks.ts';
import { type Database, type Value, write } from './database/database.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

/** $1: upper bound of the rows. $2: the time before which they are deleted. */
const deleteOf = (table: string, time: string, condition = '') =>
  `DELETE FROM ${table} WHERE id IN (
  SELECT id FROM ${table} WHERE ${time} < $2 ${condition} LIMIT $1) RETURNING id`;
const DELETE_VISITS = deleteOf('visits', 'viewed_at', 'ORDER BY viewed_at');
const DELETE_REGISTRATIONS = deleteOf('registrations', 'registered_at', 'ORDER BY registered_at');
/** Ids begin with their time, so $3 bounds the part of the table that the database reads. */
const DELETE_CLICKS = deleteOf('clicks', 'received_at', 'AND id < $3 ORDER BY id');

interface Parts {
  db: Database;
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'registrationRetentionDays'>;
  store: StoreOptions;
  log: Pick<Logger, 'info' | 'error'>;
  now?: (() => number) | undefined;
}

/** Runs now and once an hour. @returns a function that ends it after the transaction under way */
export function startHourly({ db, folder, site, store, log, now = Date.now }: Parts) {
  const { clickRetentionDays: clickDays, registrationRetentionDays: registrationDays } = site;
  let isStopped = false;
  const learn = async () => {
    const learnt = await db.transaction(learnButtons, store);
    if (learnt > 0) log.info(`Counted ${learnt} clicks on buttons that this version knows`);
  };
  const deleteAll = async (what: string, days: number, sql: string, ...values: Value[]) => {
    let deleted = 0;
    for (let n = SLICE; n === SLICE && !isStopped; deleted += n)
      n = (await write(db, sql, [SLICE, ...values])).length;
    if (deleted > 0) log.info(`Deleted ${what} older than ${days} days: ${deleted}`);
    return deleted;
  };
  const deleteOld = async () => {
    const logDays = Math.min(LOG_DAYS, clickDays || LOG_DAYS);
    deleteDailyFiles(folder, now() - logDays * DAY_MS);
    if (clickDays > 0) {
      const before = clicksKeptSince(clickDays, now());
      const id = firstIdOf(before + ID_AHEAD_MS);
      await deleteAll('clicks', clickDays, DELETE_CLICKS, before, id);
      await deleteAll('visits', clickDays, DELETE_VISITS, before);
    }
    if (registrationDays > 0) {
      const before = now() - registrationDays * DAY_MS;
      if ((await deleteAll('registrations', registrationDays, DELETE_REGISTRATIONS, before)) > 0)
        await db.overwriteDeleted(['registrations', 'mail_outbox']);
    }
  };
  const run = async () => {
    if (isStopped) return;
    // The recorder says why the database takes nothing.
    await learn().catch(() => {});
    await deleteOld().catch((err) => log.error({ err }, 'Old data could not be deleted'));
  };
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
