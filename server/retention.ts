/**
 * Deletes what is too old: rows, and the log files of this server. The totals of deleted clicks
 * stay in `click_counts`.
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LOG_DAYS } from '#contract/limits.ts';
import { deleteDailyFiles } from './clicks/daily-file.ts';
import { clicksKeptSince, firstIdOf, ID_AHEAD_MS } from './clicks/id-time.ts';
import { type Database, type Value, write } from './database/database.ts';
import { type Clock, DAY_MS } from './time.ts';

/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

/** Ids of clicks begin with their time, so $3 bounds the part of the table that is read. */
const OLDEST_CLICKS = 'received_at < $2 AND id < $3 ORDER BY id';
const OLDEST_VISITS = 'viewed_at < $2 ORDER BY viewed_at';
const OLDEST_REGISTRATIONS = 'registered_at < $2 ORDER BY registered_at';

interface Parts {
  db: Database;
  /** Folder of the log files. */
  folder: string;
  site: Pick<BuiltSite, 'clickRetentionDays' | 'registrationRetentionDays'>;
  log: Pick<Logger, 'info'>;
  now?: Clock | undefined;
}

interface OldRows {
  table: string;
  days: number;
  /** Condition and order. $1 is the number of rows, the values begin with $2. */
  oldest: string;
  values: Value[];
  deleted: number;
  /** Tables with personal data, of which nothing may remain in the database's files. */
  toOverwrite: string[];
}

export function createRetention({ db, folder, site, log, now = Date.now }: Parts) {
  let left: OldRows[] = [];

  const begin = () => {
    const logDays = Math.min(LOG_DAYS, site.clickRetentionDays || LOG_DAYS);
    deleteDailyFiles(folder, now() - logDays * DAY_MS);
    left = findOldRows(site, now());
  };
  const deleteFrom = async (rows: OldRows): Promise<boolean> => {
    const { table, oldest, values } = rows;
    const ids = `SELECT id FROM ${table} WHERE ${oldest} LIMIT $1`;
    const sql = `DELETE FROM ${table} WHERE id IN (${ids}) RETURNING id`;
    const { length } = await write(db, sql, [SLICE, ...values]);
    rows.deleted += length;
    return length === SLICE;
  };
  const finish = async ({ table, days, deleted, toOverwrite }: OldRows): Promise<void> => {
    log.info(`Deleted ${table} older than ${days} days: ${deleted}`);
    if (toOverwrite.length > 0) await db.overwriteDeleted(toOverwrite);
  };

  return {
    /**
     * Deletes a slice of the old rows, and before the first slice the old log files.
     *
     * @returns whether there may be more to delete
     * @throws (rejects with) the error of the database or the folder. The next call starts again at the first table
     */
    async deleteSlice(): Promise<boolean> {
      if (left.length === 0) begin();
      const [rows] = left;
      if (!rows) return false;
      try {
        if (await deleteFrom(rows)) return true;
        if (rows.deleted > 0) await finish(rows);
        left.shift();
        return left.length > 0;
      } catch (cause) {
        left = [];
        throw cause;
      }
    },
  };
}

function findOldRows(
  { clickRetentionDays: clickDays, registrationRetentionDays: registrationDays }: Parts['site'],
  now: number,
): OldRows[] {
  const clicksBefore = clicksKeptSince(clickDays, now);
  const all: Omit<OldRows, 'deleted'>[] = [
    {
      table: 'clicks',
      days: clickDays,
      oldest: OLDEST_CLICKS,
      values: [clicksBefore, firstIdOf(clicksBefore + ID_AHEAD_MS)],
      toOverwrite: [],
    },
    {
      table: 'visits',
      days: clickDays,
      oldest: OLDEST_VISITS,
      values: [clicksBefore],
      toOverwrite: [],
    },
    {
      table: 'registrations',
      days: registrationDays,
      oldest: OLDEST_REGISTRATIONS,
      values: [now - registrationDays * DAY_MS],
      toOverwrite: ['registrations', 'mail_outbox'],
    },
  ];
  return all.filter(({ days }) => days > 0).map((rows) => ({ ...rows, deleted: 0 }));
}
