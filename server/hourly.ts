/**
 * The work of each hour: counts the clicks on buttons that the server knows now, notes whether PostHog is on, and deletes what is too
 * old. The totals of deleted clicks stay in `click_counts`.
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LOG_DAYS } from '#contract/limits.ts';
import { deleteDailyFiles } from './clicks/daily-file.ts';
import { clicksKeptSince, firstIdOf, ID_AHEAD_MS } from './clicks/id-time.ts';
import { learnButtons, type StoreOptions } from './clicks/store-clicks.ts';
import { type Database, type Value, write } from './database/database.ts';
import { notePosthog } from './posthog/outbox.ts';
import { type Clock, DAY_MS, HOUR_MS } from './time.ts';

/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

/** Ids of clicks begin with their time, so $3 bounds the part of the table that the database reads. */
const OLDEST_CLICKS = 'received_at < $2 AND id < $3 ORDER BY id';
const OLDEST_VISITS = 'viewed_at < $2 ORDER BY viewed_at';
const OLDEST_REGISTRATIONS = 'registered_at < $2 ORDER BY registered_at';

interface Parts {
  db: Database;
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'registrationRetentionDays'>;
  store: StoreOptions;
  log: Pick<Logger, 'info' | 'error'>;
  now?: Clock | undefined;
}

/** Runs now and once an hour. @returns a function that ends it after the transaction under way */
export function startHourly({ db, folder, site, store, log, now = Date.now }: Parts) {
  const { clickRetentionDays: clickDays, registrationRetentionDays: registrationDays } = site;
  let isStopped = false;
  const learn = async () => {
    const learnt = await db.transaction(learnButtons, store);
    if (learnt > 0) log.info(`Counted ${learnt} clicks on buttons that this version knows`);
  };
  const deleteAll = async (table: string, oldest: string, days: number, ...values: Value[]) => {
    const ids = `SELECT id FROM ${table} WHERE ${oldest} LIMIT $1`;
    const sql = `DELETE FROM ${table} WHERE id IN (${ids}) RETURNING id`;
    let deleted = 0;
    for (let n = SLICE; n === SLICE && !isStopped; deleted += n)
      n = (await write(db, sql, [SLICE, ...values])).length;
    if (deleted > 0) log.info(`Deleted ${table} older than ${days} days: ${deleted}`);
    return deleted;
  };
  const deleteOld = async () => {
    const logDays = Math.min(LOG_DAYS, clickDays || LOG_DAYS);
    deleteDailyFiles(folder, now() - logDays * DAY_MS);
    if (clickDays > 0) {
      const before = clicksKeptSince(clickDays, now());
      const id = firstIdOf(before + ID_AHEAD_MS);
      await deleteAll('clicks', OLDEST_CLICKS, clickDays, before, id);
      await deleteAll('visits', OLDEST_VISITS, clickDays, before);
    }
    if (registrationDays > 0) {
      const before = now() - registrationDays * DAY_MS;
      if ((await deleteAll('registrations', OLDEST_REGISTRATIONS, registrationDays, before)) > 0)
        await db.overwriteDeleted(['registrations', 'mail_outbox']);
    }
  };
  const run = async () => {
    if (isStopped) return;
    // The recorder says why the database takes nothing.
    await learn().catch(() => {});
    await notePosthog(db, store.toPosthog, now()).catch(() => {});
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
