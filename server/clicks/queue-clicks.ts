/** Queues clicks for PostHog. The sender makes a click's event from its row when it sends it (make-event.ts). */
import type { Session } from '../database/database.ts';

/** The columns that decide whether PostHog gets a click. */
export interface Queueable {
  id: string;
  is_bot: boolean;
  is_private: boolean;
  is_known: boolean;
  forgotten_at?: number | null;
}

/** The same rule in SQL, for the sender's query. */
export const MAY_BE_SENT = 'NOT is_bot AND NOT is_private AND is_known AND forgotten_at IS NULL';

/**
 * The only way for a click into the outbox. It leaves out robots, visitors who ask for privacy, forgotten clicks and buttons that
 * no server knows yet.
 *
 * @param now milliseconds since 1970; the clicks are due at once
 * @returns the number of those that did not wait already
 */
export async function queueClicks(
  { insertNew }: Session,
  clicks: readonly Queueable[],
  now: number,
): Promise<number> {
  const sent = clicks.filter(
    ({ is_bot, is_private, is_known, forgotten_at = null }) =>
      !is_bot && !is_private && is_known && forgotten_at === null,
  );
  const rows = sent.map(({ id }) => ({ uuid: id, event: null, ...newlyQueued(now) }));
  return (await insertNew('posthog_outbox', 'uuid', rows)).length;
}

/** The other columns of a row that waits for its first attempt. */
export const newlyQueued = (now: number) => ({ queued_at: now, due_at: now, attempts: 0 });
