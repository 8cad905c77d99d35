/** Stores page views, each once, and queues the events of the new ones for PostHog. */
import type { Session } from '../database/database.ts';
import { queueEvents } from '../posthog/outbox.ts';
import { MINUTE_MS } from '../time.ts';
import type { View } from './view.ts';

/** Marks the row of a view that came before: in the same minute, or in the minute before. */
const MARK_AS_BRIEF = `
  UPDATE visits
  SET is_brief = true
  WHERE id = $1 AND viewed_at >= $2 AND NOT is_brief`;

/**
 * Returns whether each view is new. Of two views with one id, only the first one can be new. A page
 * sends a view that ends at once a second time, with `is_brief`. Its row gets the mark, also if the
 * second request arrives first.
 *
 * Rows and events are stored in the order of their random ids, so that neither table has the order
 * in which the views of a group came: it would lead from a waiting event to its row. Two servers
 * that insert the same ids do not wait for each other then.
 *
 * @param now milliseconds since 1970
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
