/**
 * Erases clicks: sets their personal columns to NULL. Id, event, time and flags stay. So a repeated
 * request is still recognised as a duplicate, and the totals stay right.
 */
import type { Session, Value } from '../database/database.ts';
import { withdrawEvents } from '../posthog/outbox.ts';

/**
 * Empties clicks, and deletes their events and others that wait for PostHog, in one transaction.
 *
 * @param uuids ids of clicks and of browsers' events
 * @param columns PERSONAL_COLUMNS. It is an argument, because its file loads zod, which the thread
 * of SQLite must not load
 * @param now milliseconds since 1970
 * @returns whether PostHog's sender may have one of the events in the batch under way
 */
export async function forgetRows(
  session: Session,
  uuids: string[],
  columns: string[],
  now: number,
): Promise<boolean> {
  const values = uuids.map((uuid) => [uuid, now]);
  await emptyColumns(session, columns, values);
  return withdrawEvents(session, uuids);
}

/**
 * Sets columns of clicks to NULL, and notes when.
 *
 * @param columns names of the columns to empty
 * @param values one list for each click: its id, and the time of the erasure
 */
export const emptyColumns = (
  { runEach }: Session,
  columns: string[],
  values: Value[][],
): Promise<void> =>
  runEach(
    `UPDATE clicks
    SET forgotten_at = $2, ${columns.map((name) => `${name} = NULL`).join(', ')}
    WHERE id = $1 AND forgotten_at IS NULL`,
    values,
  );
