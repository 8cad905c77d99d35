/**
 * Stores page views in one transaction: the row of each new id, and its event in PostHog's outbox.
 */
import type { Session } from '../database/database.ts';
import { queueEvents } from '../posthog/outbox.ts';
import { MINUTE_MS } from '../time.ts';
import type { View } from './view.ts';

/** Marks a view as brief if its row is from this minute or the minute before. */
const MARK_AS_BRIEF = `
  UPDATE visits
  SET is_brief = true
  WHERE id = $1 AND viewed_at >= $2 AND NOT is_brief`;

/**
 * Stores views. A page sends a view that ended within a second twice, the second time with
 * `is_brief`. Its row gets the mark in whichever order the two requests arrive.
 *
 * Rows and events are each inserted in the order of their random ids. In the order of arrival, the
 * n-th event would lead to the n-th row. It also prevents deadlocks between two servers that insert
 * the same ids.
 *
 * @param now milliseconds since 1970
 * @returns for each view whether it is new. Of two views with the same id, only the first one can
 * be
 */
export async function storeViews(session: Session, views: View[], now: number): Promise<boolean[]> {
  const sorted = views.toSorted((a, b) => (a.row.id < b.row.id ? -1 : 1));
  const rows = sorted.map(({ row }) => row);
  const inserted = await session.insertNew('visits', 'id', rows);
  const newViews = new Set(inserted.map((index) => sorted[index]));
  const repeatedBrief = sorted.filter((view) => view.row.is_brief && !newViews.has(view));
  await session.runEach(
    MARK_AS_BRIEF,
    repeatedBrief.map(({ row }) => [row.id, row.viewed_at - MINUTE_MS]),
  );
  const events = sorted.flatMap((view) => (newViews.has(view) && view.event) || []);
  await queueEvents(
    session,
    events.toSorted((a, b) => (a.uuid < b.uuid ? -1 : 1)),
    now,
  );
  return views.map((view) => newViews.has(view));
}
