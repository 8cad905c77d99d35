/** Deletes old clicks. The totals stay in `click_counts`. */
import { defineWork } from '../database/database.ts';
import { firstIdOf, ID_AHEAD_MS, OLDEST_ID_MS } from './id-time.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the time before which clicks are deleted, in milliseconds since 1970. Younger ids may come again.
 *
 * @param days clickRetentionDays, above 0
 */
export const clicksKeptSince = (days: number, now: number): number =>
  now - Math.max(days * DAY_MS, OLDEST_ID_MS);

/** Ids begin with their time, so `$1` bounds the part of the table that the database reads. */
const DELETE = `DELETE FROM clicks WHERE id IN (
  SELECT id FROM clicks WHERE id < $1 AND received_at < $2 ORDER BY id LIMIT $3) RETURNING id`;

/** @param before milliseconds since 1970 @returns the number of deleted rows, at most `limit` */
export const deleteClicks = defineWork(
  import.meta.url,
  'deleteClicks',
  async ({ run }, before: number, limit: number): Promise<number> =>
    (await run(DELETE, [firstIdOf(before + ID_AHEAD_MS), before, limit])).length,
);
