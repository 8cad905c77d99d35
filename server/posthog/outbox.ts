/**
 * The transactional outbox for PostHog. An event stays in the table `posthog_outbox` until PostHog
 * has taken it. A click is queued in the transaction that stores its row (clicks/store-clicks.ts),
 * so PostHog gets exactly the clicks that have a row. This file also has the rule which clicks
 * PostHog may get.
 */
import { type Backlog, type Database, rowsAs, type Session, write } from '../database/database.ts';
import type { DueRow, PosthogEvent } from './make-event.ts';

/**
 * SQL condition on `clicks`: PostHog may get the click if it has no mark of a robot or of the team.
 */
export const MAY_BE_SENT_IF_UNMARKED = 'NOT is_private AND is_known AND forgotten_at IS NULL';
/**
 * SQL condition on `clicks`: PostHog may get the click. It excludes robots, the team, visitors who
 * ask for privacy, erased clicks, and clicks on buttons that no server knows yet.
 */
export const MAY_BE_SENT = `NOT is_bot AND NOT is_internal AND ${MAY_BE_SENT_IF_UNMARKED}`;

/**
 * Selects the clicks whose ids are in a JSON list, which is the first parameter. One statement for
 * all clicks takes half the time of one statement for each. LATERAL makes PostgreSQL look up each
 * id by the index. Otherwise it plans a scan of the table while the table is small, and keeps that
 * plan as the table grows.
 */
const CLICKS_OF_LIST: Record<Session['kind'], string> = {
  sqlite: `
    SELECT *
    FROM clicks
    WHERE id IN (SELECT value FROM json_each($1))`,
  postgres: `
    SELECT found.*
    FROM json_array_elements_text($1) AS list (id)
    CROSS JOIN LATERAL (SELECT * FROM clicks WHERE clicks.id = list.id::uuid LIMIT 1) AS found`,
};

const queueClicksSql = (kind: Session['kind']): string => `
  INSERT INTO posthog_outbox (uuid, queued_at, due_at, attempts)
  SELECT id, $2, $2, 0
  FROM (${CLICKS_OF_LIST[kind]}) AS clicks_of_list
  WHERE ${MAY_BE_SENT}
  ORDER BY id
  ON CONFLICT DO NOTHING
  RETURNING uuid`;

/**
 * Queues clicks, except for those that PostHog must not get. Every click enters the outbox through
 * this function. The sender makes a click's event from its row (make-event.ts).
 *
 * @param ids ids of rows in `clicks`
 * @param now milliseconds since 1970. The clicks are due immediately
 * @returns the number of clicks that were not already waiting
 */
export async function queueClicks(
  { kind, run }: Session,
  ids: string[],
  now: number,
): Promise<number> {
  const queued = await run(queueClicksSql(kind), [JSON.stringify(ids), now]);
  return queued.length;
}

const DELETE_REFUSED_EVENT = `
  DELETE FROM posthog_outbox
  WHERE uuid = $1 AND refused IS NOT NULL`;

/**
 * Queues clicks like `queueClicks`, and also those that PostHog has refused before, which it may
 * take now.
 */
export async function queueClicksAgain(
  session: Session,
  ids: string[],
  now: number,
): Promise<number> {
  await session.runEach(
    DELETE_REFUSED_EVENT,
    ids.map((id) => [id]),
  );
  return queueClicks(session, ids, now);
}

/**
 * Queues events of browsers and page views, which have their content in the outbox. Leaves out
 * events that already wait.
 *
 * @param now milliseconds since 1970
 */
export async function queueEvents(
  session: Session,
  events: PosthogEvent[],
  now: number,
): Promise<void> {
  const rows = events.map((event) => ({
    uuid: event.uuid,
    event: JSON.stringify(event),
    queued_at: now,
    due_at: now,
    attempts: 0,
  }));
  await session.insertNew('posthog_outbox', 'uuid', rows);
}

/** Selects the largest batch that the sender may be sending right now. */
const READ_BATCH_UNDER_WAY = `
  SELECT uuid
  FROM posthog_outbox
  WHERE refused IS NULL AND due_at <= $1
  ORDER BY queued_at, uuid
  LIMIT 100`;
const WITHDRAW_EVENT = `
  DELETE FROM posthog_outbox
  WHERE uuid = $1
  RETURNING uuid, refused`;

/**
 * Deletes clicks from the outbox.
 *
 * @param now milliseconds since 1970
 * @returns the ids of the clicks that PostHog certainly will not get: they were waiting, and were
 * not in a batch that may be under way
 */
export async function withdrawClicks(
  { run }: Session,
  ids: string[],
  now: number,
): Promise<Set<string>> {
  const underWay = new Set(
    (await run(READ_BATCH_UNDER_WAY, [now])).map(({ uuid }) => String(uuid)),
  );
  const deleted = await Promise.all(ids.map((id) => run(WITHDRAW_EVENT, [id])));
  const withdrawn = deleted.flat().map(({ uuid }) => String(uuid));
  return new Set(withdrawn.filter((id) => !underWay.has(id)));
}

/**
 * Deletes events of clicks and of browsers from the outbox.
 *
 * @returns whether one of them was waiting, so that it may be in the batch under way
 */
export async function withdrawEvents({ run }: Session, uuids: string[]): Promise<boolean> {
  const deleted = await Promise.all(uuids.map((uuid) => run(WITHDRAW_EVENT, [uuid])));
  return deleted.flat().some(({ refused }) => refused === null);
}

const READ_DUE = `
  SELECT clicks.*, uuid, posthog_outbox.event AS stored, attempts, retry_since
  FROM posthog_outbox
  LEFT JOIN clicks ON clicks.id = uuid AND ${MAY_BE_SENT}
  WHERE refused IS NULL AND due_at <= $1
  ORDER BY queued_at, uuid
  LIMIT $2`;

/**
 * Reads the oldest events that are due, each with its click's row if it is a click.
 *
 * @param now milliseconds since 1970
 */
export const readDue = async (db: Database, now: number, limit: number): Promise<DueRow[]> =>
  rowsAs(await db.read(READ_DUE, [now, limit]));

/** What happens to each event of a batch that was sent. */
export interface SettledBatch {
  /** PostHog has taken the event, or must not get it any more. Its row is deleted. */
  removed: [uuid: string][];
  /** To be sent again, at `dueAt` or later. `now` is when it was postponed. */
  postponed: [uuid: string, dueAt: number, now: number][];
  /** PostHog refuses the event for good. Its row stays, with the reason. */
  refused: [uuid: string, reason: string][];
}

const DELETE_EVENT = 'DELETE FROM posthog_outbox WHERE uuid = $1';
const POSTPONE_EVENT = `
  UPDATE posthog_outbox
  SET attempts = attempts + 1, due_at = $2, retry_since = COALESCE(retry_since, $3)
  WHERE uuid = $1`;
const REFUSE_EVENT = `
  UPDATE posthog_outbox
  SET attempts = attempts + 1, refused = $2
  WHERE uuid = $1`;
/**
 * Keeps only the latest 1,000 refused events of browsers, so that they cannot fill the disk. A
 * refused click stays, so that an operator can send it again.
 */
const DELETE_OLD_REFUSED_EVENTS = `
  DELETE FROM posthog_outbox
  WHERE uuid IN (
    SELECT uuid
    FROM posthog_outbox
    WHERE refused IS NOT NULL AND event IS NOT NULL
    ORDER BY queued_at DESC
    LIMIT 100000 OFFSET 1000)`;

/** Stores the outcome of a batch. */
export async function settleBatch(
  { run, runEach }: Session,
  { removed, postponed, refused }: SettledBatch,
): Promise<void> {
  await Promise.all([
    runEach(DELETE_EVENT, removed),
    runEach(POSTPONE_EVENT, postponed),
    runEach(REFUSE_EVENT, refused),
  ]);
  if (refused.length > 0) await run(DELETE_OLD_REFUSED_EVENTS);
}

/** Upper bound for the counted rows, because counting reads each of them. */
const MAX_COUNTED = 100_000;
const READ_BACKLOG = `
  SELECT
    (SELECT MIN(queued_at) FROM posthog_outbox WHERE refused IS NULL) AS "oldestAt",
    (SELECT COUNT(*)
      FROM (SELECT 1 FROM posthog_outbox WHERE refused IS NULL LIMIT ${MAX_COUNTED}) AS counted
    ) AS waiting`;

/** Reads how many events wait for PostHog: at most 100,000 are counted. */
export const readBacklog = async (db: Database): Promise<Backlog> =>
  rowsAs<Backlog>(await db.read(READ_BACKLOG))[0] as Backlog;

const NOTE_POSTHOG_SINCE = `
  INSERT INTO posthog_on (id, since)
  VALUES (1, $1)
  ON CONFLICT DO NOTHING`;
const NOTE_NO_POSTHOG = 'DELETE FROM posthog_on';

/**
 * Notes since when PostHog gets clicks, or that it gets none. The report needs it, so that it does
 * not expect older clicks in PostHog.
 *
 * @param now milliseconds since 1970
 */
export const notePosthogState = (db: Database, isOn: boolean, now: number) =>
  isOn ? write(db, NOTE_POSTHOG_SINCE, [now]) : write(db, NOTE_NO_POSTHOG, []);

const NOTE_EARLIER_SINCE = `
  UPDATE posthog_on
  SET since = $1
  WHERE since > $1`;

/**
 * Notes that PostHog has got older clicks too.
 *
 * @param since when the server received the oldest of them, in milliseconds since 1970
 */
export const noteSentSince = (db: Database, since: number) =>
  write(db, NOTE_EARLIER_SINCE, [since]);
