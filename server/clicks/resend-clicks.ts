/** Queues stored clicks for PostHog again (`site posthog resend`). */
import type { Database, Session } from '../database/database.ts';
import { noteSentSince, queueClicksAgain } from '../posthog/outbox.ts';
import { lowestIdReceivedSince } from './id-time.ts';

/** Upper bound for the clicks of one transaction, so that new clicks do not wait long. */
const MAX_ROWS_PER_TRANSACTION = 1000;
const READ_NEXT_CLICKS = `
  SELECT id
  FROM clicks
  WHERE id > $1 AND received_at >= $2
  ORDER BY id
  LIMIT ${MAX_ROWS_PER_TRANSACTION}`;

/**
 * Queues the next clicks in the order of their ids, in one transaction.
 *
 * @param after only ids above this one
 * @param since only clicks that the server received since then. Milliseconds since 1970, as `now`
 * @returns `last`: the last id that was read, or an empty text if there are no more clicks;
 * `queued`: the number of newly queued clicks
 */
export async function resendSlice(session: Session, after: string, since: number, now: number) {
  const rows = await session.run(READ_NEXT_CLICKS, [after, since]);
  const ids = rows.map(({ id }) => String(id));
  return { last: ids.at(-1) ?? '', queued: await queueClicksAgain(session, ids, now) };
}

/**
 * Queues all clicks since a time again. PostHog merges an event that it already has, by its uuid.
 *
 * @param since when the server received the first of them, in milliseconds since 1970
 * @returns the number of clicks that were not already waiting
 */
export async function resendClicks(db: Database, since: number): Promise<number> {
  let total = 0;
  for (let after = lowestIdReceivedSince(since); after !== ''; ) {
    const { last, queued } = await db.transaction(resendSlice, after, since, Date.now());
    total += queued;
    after = last;
  }
  await noteSentSince(db, since);
  return total;
}
