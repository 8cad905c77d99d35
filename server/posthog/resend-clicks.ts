/** Queues clicks for PostHog once more. PostHog merges a repeated event with the first one by its uuid. */

import { type Queueable, queueClicks } from '../clicks/queue-clicks.ts';
import { type Database, defineWork } from '../database/database.ts';

/** Clicks in one transaction, so that new ones need not wait for long. */
const SLICE = 1000;
const NEXT = `SELECT id, is_bot, is_private, is_known, forgotten_at FROM clicks
  WHERE id > $1 AND received_at >= $2 ORDER BY id LIMIT ${SLICE}`;
/** The refusal may have had a reason that is gone. */
const DELETE_REFUSED = 'DELETE FROM posthog_outbox WHERE uuid = $1 AND refused IS NOT NULL';
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** @returns the last id; null: there are no further clicks */
export const resendSlice = defineWork(
  import.meta.url,
  'resendSlice',
  async (session, after: string, since: number, now: number): Promise<string | null> => {
    const rows = (await session.run(NEXT, [after, since])) as never as Queueable[];
    await session.runEach(
      DELETE_REFUSED,
      rows.map(({ id }) => [id]),
    );
    await queueClicks(session, rows, now);
    return rows.at(-1)?.id ?? null;
  },
);

/** @param since milliseconds since 1970, by the time when the server received the clicks */
export async function resendClicks(db: Database, since: number): Promise<void> {
  for (let id: string | null = BEFORE_ALL; id !== null; )
    id = await db.transaction(resendSlice, id, since, Date.now());
}
