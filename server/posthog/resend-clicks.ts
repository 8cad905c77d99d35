/** Queues clicks for PostHog once more. PostHog merges a repeated event with the first one by its uuid. */

import { firstIdSince } from '../clicks/id-time.ts';
import { type Queueable, queueClicks } from '../clicks/queue-clicks.ts';
import { type Database, defineWork } from '../database/database.ts';

/** Clicks in one transaction, so that new ones need not wait for long. */
const SLICE = 1000;
const NEXT = `SELECT id, is_bot, is_private, is_known, forgotten_at FROM clicks
  WHERE id > $1 AND received_at >= $2 ORDER BY id LIMIT ${SLICE}`;
/** PostHog may take the click now. */
const DELETE_REFUSED = 'DELETE FROM posthog_outbox WHERE uuid = $1 AND refused IS NOT NULL';

/** `last`: the last id; null: there are no further clicks. */
interface Slice {
  last: string | null;
  queued: number;
}

export const resendSlice = defineWork(
  import.meta.url,
  'resendSlice',
  async (session, after: string, since: number, now: number): Promise<Slice> => {
    const rows = (await session.run(NEXT, [after, since])) as never as Queueable[];
    await session.runEach(
      DELETE_REFUSED,
      rows.map(({ id }) => [id]),
    );
    return { last: rows.at(-1)?.id ?? null, queued: await queueClicks(session, rows, now) };
  },
);

/**
 * @param since milliseconds since 1970, by the time when the server received the clicks
 * @returns the number of queued clicks, without those that waited already
 */
export async function resendClicks(db: Database, since: number): Promise<number> {
  let total = 0;
  for (let after: string | null = firstIdSince(since); after !== null; ) {
    const { last, queued }: Slice = await db.transaction(resendSlice, after, since, Date.now());
    total += queued;
    after = last;
  }
  return total;
}
