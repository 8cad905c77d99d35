/**
 * Forgets clicks: their personal columns become NULL. Id, event, time and flags stay, so that a
 * repeated click is still a duplicate, and the totals stay right.
 */
import type { Session, Value } from '../database/database.ts';
import { withdrawEvents } from '../posthog/outbox.ts';

/**
 * Empties rows of clicks, and deletes events that wait for PostHog.
 *
 * @param uuids of clicks and of browsers' events
 * @param columns PERSONAL_COLUMNS: an argument, because their file loads zod, and this one must not
 * @param now milliseconds since 1970
 * @returns whether the sender may have one of the events under way
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

/** @param values of each click: its id, and when it was forgotten */
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
