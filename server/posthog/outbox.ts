/**
 * The transactional outbox: an event is in the table `posthog_outbox` until PostHog has taken it. A click's event is queued in
 * the click's own transaction (queue-clicks.ts), so PostHog gets it exactly if the click is stored.
 */

import { MAY_BE_SENT, newlyQueued } from '../clicks/queue-clicks.ts';
import { type Database, defineWork, type Session } from '../database/database.ts';
import { insertVisits, type Visit } from '../visits/visits.ts';
import type { CompleteEvent } from './complete-event.ts';
import type { DueRow } from './make-event.ts';

const DUE = `SELECT clicks.*, uuid, posthog_outbox.event AS stored, attempts
  FROM posthog_outbox LEFT JOIN clicks ON clicks.id = uuid AND ${MAY_BE_SENT}
  WHERE refused IS NULL AND due_at <= $1 ORDER BY queued_at, uuid LIMIT $2`;
const DELETE = 'DELETE FROM posthog_outbox WHERE uuid = $1';
const POSTPONE = 'UPDATE posthog_outbox SET attempts = attempts + 1, due_at = $2 WHERE uuid = $1';
const REFUSE = 'UPDATE posthog_outbox SET attempts = attempts + 1, refused = $2 WHERE uuid = $1';
/** Bounds browsers' events that PostHog refuses. A refused click stays, so that an operator can send it again. */
const FORGET_REFUSED = `DELETE FROM posthog_outbox WHERE uuid IN (
  SELECT uuid FROM posthog_outbox WHERE refused IS NOT NULL AND event IS NOT NULL
  ORDER BY queued_at DESC LIMIT 100000 OFFSET 1000)`;
/** Upper bound of the counted rows, because a count reads each of them. */
const COUNTED = 100_000;
const STATE = `SELECT
  (SELECT MIN(queued_at) FROM posthog_outbox WHERE refused IS NULL) AS oldest_at,
  (SELECT COUNT(*) FROM (SELECT 1 FROM posthog_outbox WHERE refused IS NULL LIMIT ${COUNTED}) AS counted) AS waiting,
  (SELECT COUNT(*) FROM (SELECT 1 FROM posthog_outbox WHERE refused IS NOT NULL LIMIT ${COUNTED}) AS counted) AS refused`;
const OF_BROWSERS = `SELECT COUNT(*) AS waiting FROM posthog_outbox
  WHERE event IS NOT NULL AND refused IS NULL`;

/** The events that wait for PostHog or that it refuses. Numbers are at most 100,000. */
export interface OutboxState {
  /** When the oldest unsent event was queued, in milliseconds since 1970; null: none waits. */
  oldestAt: number | null;
  waiting: number;
  /** Events that PostHog refuses for good. */
  refused: number;
}

/** @returns the oldest events that are due */
export const readDue = async (db: Database, now: number, limit: number): Promise<DueRow[]> =>
  (await db.read(DUE, [now, limit])) as never;

export async function readState(db: Database): Promise<OutboxState> {
  const [row] = await db.read(STATE);
  const { oldest_at, waiting, refused } = row as Record<string, number>;
  return { oldestAt: oldest_at ?? null, waiting: waiting ?? 0, refused: refused ?? 0 };
}

/** @returns the number of waiting events that are not clicks */
export async function countOfBrowsers(db: Database): Promise<number> {
  const [row] = await db.read(OF_BROWSERS);
  return Number(row?.waiting);
}

/** Queues browsers' events, and stores the visits that they tell. Both leave out those that are there. */
export const storeEvents = defineWork(
  import.meta.url,
  'storeEvents',
  async (
    session: Session,
    events: CompleteEvent[],
    visits: Visit[],
    now: number,
  ): Promise<void> => {
    const rows = events.map((event) => ({
      uuid: event.uuid,
      event: JSON.stringify(event),
      ...newlyQueued(now),
    }));
    await Promise.all([
      session.insertNew('posthog_outbox', 'uuid', rows),
      insertVisits(session, visits),
    ]);
  },
);

/** What became of the events of a batch, by their uuids. */
export interface Settled {
  /** Taken, or withdrawn. */
  done: string[];
  /** To be sent again, from this time on. */
  later: { uuid: string; dueAt: number }[];
  refused: { uuid: string; reason: string }[];
}

export const settle = defineWork(
  import.meta.url,
  'settle',
  async ({ run, runEach }: Session, { done, later, refused }: Settled): Promise<void> => {
    await Promise.all([
      runEach(
        DELETE,
        done.map((uuid) => [uuid]),
      ),
      runEach(
        POSTPONE,
        later.map(({ uuid, dueAt }) => [uuid, dueAt]),
      ),
      runEach(
        REFUSE,
        refused.map(({ uuid, reason }) => [uuid, reason]),
      ),
    ]);
    if (refused.length > 0) await run(FORGET_REFUSED);
  },
);
