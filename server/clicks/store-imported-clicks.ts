import type { Session } from '../database/database.ts';
import type { ClickRow } from './click.ts';
import { emptyColumns } from './forget-rows.ts';
import { type Stored, storeClicks } from './store-clicks.ts';

/**
 * Stands for the server in the counters of imported clicks. No server waits for these rows of
 * `click_counts`.
 */
const IMPORT_AS_SERVER = 'import';

/**
 * Stores clicks of the log, and queues nothing for PostHog. Empties the rows of clicks that are
 * forgotten in the log, which a restored backup may have brought back.
 *
 * @param columns PERSONAL_COLUMNS: an argument, because their file loads zod, and this one must not
 * @param now milliseconds since 1970
 * @returns what became of each click
 */
export async function storeImportedClicks(
  session: Session,
  clicks: ClickRow[],
  columns: string[],
  now: number,
): Promise<Stored[]> {
  const options = { server: IMPORT_AS_SERVER, toPosthog: false };
  const stored = await storeClicks(session, clicks, options, now);
  const forgotten = clicks.flatMap(({ id, forgotten_at }) =>
    forgotten_at ? [[id, forgotten_at]] : [],
  );
  await emptyColumns(session, columns, forgotten);
  return stored;
}
