/** Deletes old clicks. The totals stay in `click_counts`. */
import { defineWork } from '../database/database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Ids begin with their time, so `$1` bounds the part of the table that the database reads. They may be dated a day ahead. */
const DELETE = `DELETE FROM clicks WHERE id IN (
  SELECT id FROM clicks WHERE id < $1 AND received_at < $2 ORDER BY id LIMIT $3) RETURNING id`;

/** @param before milliseconds since 1970 @returns the number of deleted rows, at most `limit` */
export const deleteClicks = defineWork(
  import.meta.url,
  'deleteClicks',
  async ({ run }, before: number, limit: number): Promise<number> =>
    (await run(DELETE, [firstIdOf(before + DAY_MS), before, limit])).length,
);

/** @returns the smallest UUID v7 of that millisecond */
function firstIdOf(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}
