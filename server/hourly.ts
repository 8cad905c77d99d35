/**
 * The work of each hour: counts the clicks on buttons that the server knows now, and deletes what is too old. The totals of deleted
 * clicks stay in `click_counts`.
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LOG_DAYS } from '#contract/limits.ts';
import { deleteDailyFiles } from './clicks/daily-file.ts';
import { clicksKeptSince, firstIdOf, ID_AHEAD_MS } from './clicks/id-time.ts';
import { learnButtons } from './clicks/learn-buttons.ts';
import type { StoreOptions } from './clicks/store-clicks.ts';
import { type Database, type Value, write } from './database/database.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

/** $1: the time before which rows are deleted. $2: upper bound of the rows. */
const DELETE_VISITS = `DELETE FROM visits WHERE id IN (
  SELECT id FROM visits WHERE viewed_at < $1 ORDER BY viewed_at LIMIT $2) RETURNING id`;
const DELETE_REGISTRATIONS = `DELETE FROM registrations WHERE id IN (
  SELECT id FROM registrations WHERE registered_at < $1 ORDER BY registered_at LIMIT $2) RETURNING id`;
/** Ids begin with their time, so $3 bounds the part of the table that the database reads. */
const DELETE_CLICKS = `DELETE FROM clicks WHERE id IN (
  SELECT id FROM clicks WHERE received_at < $1 AND id < $3 ORDER BY id LIMIT $2) RETURNING id`;

interface Parts {
  db: Database;
  /** DATA_DIR. */
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'registrationRetentionDays'>;
  store: StoreOptions;
  log: Pick<Logger, 'info' | 'error'>;
  now?: (() => number) | undefined;
}

/** Runs now and once an hour, and sooner after a failure. @returns a function that ends it after the transaction under way */
export function startHourly({ db, folder, site, store, log, now = Date.now }: Parts) {
  const { clickRetentionDays: clickDays, registrationRetentionDays: registrationDays } = site;
  let isStopped = false;
  const learn = async () => {
    const learnt = await db.transaction(learnButtons, store);
    if (learnt > 0) log.info(`Counted ${learnt} clicks on buttons that this version knows`);
  };
  const deleteAll = async (sql: string, before: number, ...more: Value[]): Promise<number> => {
    let deleted = 0;
    for (let n = SLICE; n === SLICE && !isStopped; deleted += n)
      n = (await write(db, sql, [before, SLICE, ...more])).length;
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
      const clicks = await deleteAll(DELETE_CLICKS, before, firstIdOf(before + ID_AHEAD_MS));
      say(clicks, 'clicks', clickDays);
      await deleteAll(DELETE_VISITS, before);
    }
    if (registrationDays > 0) {
      const before = now() - registrationDays * DAY_MS;
      const deleted = await deleteAll(DELETE_REGISTRATIONS, before);
      if (deleted > 0) await db.overwriteDeleted(['registrations', 'mail_outbox']);
      say(deleted, 'registrations', registrationDays);
    }
  };
  let running = Promise.resolve();
  const run = async () => {
    if (isStopped) return;
    // The recorder says why the database takes nothing.
    await learn().catch(() => setTimeout(() => (running = running.then(run)), MINUTE_MS).unref());
    await deleteOld().catch((err) => log.error({ err }, 'Old data could not be deleted'));
  };
  running = run();
  const timer = setInterval(() => {
    running = running.then(run);
  }, HOUR_MS).unref();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
}
