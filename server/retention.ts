/** Deletes old clicks, visits and log files. The totals stay in `click_counts`. */
import type { Logger } from 'pino';
import { LOG_DAYS } from '#contract/limits.ts';
import { type Database, defineWork } from '../database/database.ts';
import { deleteVisits } from '../visits/visits.ts';
import { deleteDailyFiles } from './daily-file.ts';
import { OLDEST_ID_MS } from './read-click.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

/** Ids begin with their time and may be dated a day ahead, so `$1` bounds the part of the table to look at. */
const DELETE = `DELETE FROM clicks WHERE id IN (
  SELECT id FROM clicks WHERE id < $1 AND received_at < $2 ORDER BY id LIMIT $3) RETURNING id`;

/** @param before milliseconds since 1970 @returns the number of deleted rows, at most SLICE */
export const deleteClicks = defineWork(
  import.meta.url,
  'deleteClicks',
  async ({ run }, before: number): Promise<number> =>
    (await run(DELETE, [firstIdOf(before + DAY_MS), before, SLICE])).length,
);

/** @returns the smallest UUID v7 of that millisecond */
function firstIdOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

interface Parts {
  db: Database;
  /** DATA_DIR. */
  folder: string;
  /** 0: clicks are kept. Otherwise more than 8, because browsers keep a click for 7. */
  clickRetentionDays: number;
  log: Pick<Logger, 'info' | 'error'>;
  now?: () => number;
}

/** Runs now and once an hour. @returns a function that ends it after the transaction under way */
export function startRetention({ db, folder, clickRetentionDays, log, now = Date.now }: Parts) {
  let isStopped = false;
  const deleteOld = async () => {
    const days = clickRetentionDays || Number.POSITIVE_INFINITY;
    for (const name of ['clicks', 'refused'])
      deleteDailyFiles(folder, name, now() - Math.min(LOG_DAYS, days) * DAY_MS);
    if (clickRetentionDays === 0) return;
    const before = now() - Math.max(days * DAY_MS, OLDEST_ID_MS);
    let deleted = 0;
    for (let n = SLICE; n === SLICE && !isStopped; deleted += n)
      n = await db.transaction(deleteClicks, before);
    for (let n = SLICE; n === SLICE && !isStopped; )
      n = await db.transaction(deleteVisits, before, SLICE);
    if (deleted > 0) log.info(`Deleted ${deleted} clicks older than ${days} days`);
  };
  const run = () =>
    deleteOld().catch((err) => log.error({ err }, 'Old clicks could not be deleted'));
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
