import type { Session } from '../database/database.ts';
import type { ClickRow } from './click.ts';
import { emptyColumns } from './forget-rows.ts';
import { type StoreResult, storeClicks } from './store-clicks.ts';

/**
 * The value of `click_counts.server` for imported clicks. No running server writes to these
 * counters, so none waits for them.
 */
const SERVER_OF_IMPORTED_CLICKS = 'import';

/**
 * Stores clicks that were read from the log, and queues none for PostHog. Also erases the rows of
 * clicks that the log says are forgotten, because a restored backup may have brought them back.
 *
 * @param columns PERSONAL_COLUMNS. It is an argument, because its file loads zod, which the thread
 * of SQLite must not load
 * @param now milliseconds since 1970
 * @returns the result of each click
 */
export async function storeImportedClicks(
  session: Session,
  clicks: ClickRow[],
  columns: string[],
  now: number,
): Promise<StoreResult[]> {
  const options = { server: SERVER_OF_IMPORTED_CLICKS, toPosthog: false };
  const stored = await storeClicks(session, clicks, options, now);
  const forgotten = clicks.flatMap(({ id, forgotten_at }) =>
    forgotten_at ? [[id, forgotten_at]] : [],
  );
  await emptyColumns(session, columns, forgotten);
  return stored;
}
