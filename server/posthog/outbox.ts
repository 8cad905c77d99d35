/**
 * The transactional outbox: an event is in the table `posthog_outbox` until PostHog has taken it. A
 * click's event is queued in the click's own transaction (clicks/store-clicks.ts), so PostHog gets
 * it exactly if the click is stored.
 */
import { firstIdSince } from '../clicks/id-time.ts';
import { MAY_BE_SENT, newlyQueued, queueClicks, type Storable } from '../clicks/store-clicks.ts';
import { type Backlog, type Database, type Session, write } from '../database/database.ts';
import type { CompleteEvent, DueRow } from './make-event.ts';

const DUE = `SELECT clicks.*, uuid, posthog_outbox.event AS stored, attempts, retry_since
  FROM posthog_outbox LEFT JOIN clicks ON clicks.id = uuid AND ${MAY_BE_SENT}
  WHERE refused IS NULL AND due_at <= $1 ORDER BY queued_at, uuid LIMIT $2`;
const DELETE = 'DELETE FROM posthog_outbox WHERE uuid = $1';
const POSTPONE = `UPDATE posthog_outbox
  SET attempts = attempts + 1, due_at = $2, retry_since = COALESCE(retry_since, $3) WHERE uuid = $1`;
const REFUSE = 'UPDATE posthog_outbox SET attempts = attempts + 1, refused = $2 WHERE uuid = $1';
/**
 * Bounds browsers' events that PostHog refuses. A refused click stays, so that an operator can send
 * it again.
 */
const FORGET_REFUSED = `DELETE FROM posthog_outbox WHERE uuid IN (
  SELECT uuid FROM posthog_outbox WHERE refused IS NOT NULL AND event IS NOT NULL
  ORDER BY queued_at DESC LIMIT 100000 OFFSET 1000)`;
/** Upper bound of the counted rows, because a count reads each of them. */
const COUNTED = 100_000;
const STATE = `SELECT
  (SELECT MIN(queued_at) FROM posthog_outbox WHERE refused IS NULL) AS "oldestAt",
  (SELECT COUNT(*) FROM (SELECT 1 FROM posthog_outbox WHERE refused IS NULL LIMIT ${COUNTED}) AS counted) AS waiting`;

export const readDue = async (db: Database, now: number, limit: number): Promise<DueRow[]> =>
  (await db.read(DUE, [now, limit])) as never;

/** The events that wait for PostHog. `waiting` is at most 100,000. */
export const readState = async (db: Database): Promise<Backlog> =>
  (await db.read(STATE))[0] as never;

/** Queues events that are not made from clicks' rows. Leaves out those that wait already. */
export async function queueEvents(
  session: Session,
  events: CompleteEvent[],
  now: number,
): Promise<void> {
  const rows = events.map((event) => ({
    uuid: event.uuid,
    event: JSON.stringify(event),
    ...newlyQueued(now),
  }));
  await session.insertNew('posthog_outbox', 'uuid', rows);
}

/** The fate of a batch's events. */
export interface Settled {
  /** Taken, or withdrawn. */
  done: [uuid: string][];
  /** To be sent again, from the time `dueAt` on. `now`: when it was put off. */
  later: [uuid: string, dueAt: number, now: number][];
  refused: [uuid: string, reason: string][];
}

export async function settle(
  { run, runEach }: Session,
  { done, later, refused }: Settled,
): Promise<void> {
  await Promise.all([runEach(DELETE, done), runEach(POSTPONE, later), runEach(REFUSE, refused)]);
  if (refused.length > 0) await run(FORGET_REFUSED);
}

/** Clicks in one transaction, so that new ones need not wait for long. */
const SLICE = 1000;
const NEXT = `SELECT * FROM clicks WHERE id > $1 AND received_at >= $2 ORDER BY id LIMIT ${SLICE}`;
/** PostHog may take the click now. */
const DELETE_REFUSED = 'DELETE FROM posthog_outbox WHERE uuid = $1 AND refused IS NOT NULL';

/**
 * @returns the last id, or an empty text if there are no further clicks, and the number of queued
 * ones
 */
export async function resendSlice(session: Session, after: string, since: number, now: number) {
  const rows: Storable[] = (await session.run(NEXT, [after, since])) as never;
  const ids = rows.map(({ id }) => [id]);
  await session.runEach(DELETE_REFUSED, ids);
  return { last: rows.at(-1)?.id ?? '', queued: await queueClicks(session, rows, now) };
}

const ON = 'INSERT INTO posthog_on (id, since) VALUES (1, $1) ON CONFLICT DO NOTHING';

/**
 * Keeps since when PostHog gets clicks, because the report must not say that it has older ones.
 *
 * @param now milliseconds since 1970
 */
export const notePosthog = (db: Database, isOn: boolean, now: number) =>
  isOn ? write(db, ON, [now]) : write(db, 'DELETE FROM posthog_on', []);

/**
 * Queues clicks once more. PostHog merges a repeated event with the first one by its uuid.
 *
 * @param since when the server received the first click
 * @returns the number of those that did not wait already
 */
export async function resendClicks(db: Database, since: number): Promise<number> {
  let total = 0;
  for (let after = firstIdSince(since); after !== ''; ) {
    const { last, queued } = await db.transaction(resendSlice, after, since, Date.now());
    total += queued;
    after = last;
  }
  await write(db, 'UPDATE posthog_on SET since = $1 WHERE since > $1', [since]);
  return total;
}
