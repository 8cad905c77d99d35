/** Queues stored clicks for PostHog once more, for `site posthog resend`. */
import type { Database, Session } from '../database/database.ts';
import { noteSentSince, queueClicksAgain } from '../posthog/outbox.ts';
import { firstIdSince } from './id-time.ts';

/** Clicks in one transaction, so that new ones need not wait for long. */
const SLICE = 1000;
const NEXT_CLICKS = `
  SELECT id
  FROM clicks
  WHERE id > $1 AND received_at >= $2
  ORDER BY id
  LIMIT ${SLICE}`;

/**
 * Queues the next clicks after an id.
 *
 * @param since when the server received the first click, in milliseconds since 1970, as `now`
 * @returns the last id, or an empty text if there are no further clicks, and the number of queued
 * ones
 */
export async function resendSlice(session: Session, after: string, since: number, now: number) {
  const rows = await session.run(NEXT_CLICKS, [after, since]);
  const ids = rows.map(({ id }) => String(id));
  return { last: ids.at(-1) ?? '', queued: await queueClicksAgain(session, ids, now) };
}

/**
 * Queues clicks once more. PostHog merges a repeated event with the first one by its uuid.
 *
 * @param since when the server received the first click, in milliseconds since 1970
 * @returns the number of those that did not wait already
 */
export async function resendClicks(db: Database, since: number): Promise<number> {
  let total = 0;
  for (let after = firstIdSince(since); after !== ''; ) {
    const { last, queued } = await db.transaction(resendSlice, after, since, Date.now());
    total += queued;
    after = last;
  }
  await noteSentSince(db, since);
  return total;
}
