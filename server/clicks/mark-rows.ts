/**
 * Marks clicks and visits as those of a robot or of the team, so that they are in no figure, and
 * takes a marking back. Only rows without a mark get a marking, so a row has at most one, and a
 * marking taken back leaves no trace.
 */
import type { Row, Session } from '../database/database.ts';
import { MAY_BE_SENT_IF_UNMARKED, queueClicks, withdrawClicks } from '../posthog/outbox.ts';
import { type CountedClick, moveCounts } from './store-clicks.ts';

export const MARKS = ['robot', 'internal'] as const;
type Mark = (typeof MARKS)[number];

const COLUMN_OF = { robot: 'is_bot', internal: 'is_internal' } as const satisfies Record<
  Mark,
  string
>;

export interface Marking {
  id: string;
  mark: Mark;
}

/** A row with neither mark. */
export const IS_UNMARKED = 'NOT is_bot AND NOT is_internal';

/**
 * Stands for the server in the counters of marked clicks. No server waits for these rows of
 * `click_counts`.
 */
const MARK_AS_SERVER = 'mark';

/** The columns of a changed click that counts and PostHog's outbox depend on. */
const CHANGED_COLUMNS = `id, event, received_at, is_bot, is_internal, is_known,
  ${MAY_BE_SENT_IF_UNMARKED} AS is_for_posthog`;

interface ChangedClick extends CountedClick {
  /** Whether PostHog gets the click without the mark. SQLite has 0 and 1. */
  is_for_posthog: boolean | 0 | 1;
}

/**
 * Marks the clicks of these ids, moves their counts, and withdraws their events from the outbox.
 *
 * @param posthogSince since when PostHog gets clicks, in milliseconds since 1970; null: it gets
 * none
 * @param now milliseconds since 1970
 * @returns their number, and the ids of those that PostHog has, or may get in the batch on its way
 */
export async function markClicks(
  session: Session,
  ids: string[],
  marking: Marking,
  posthogSince: number | null,
  now: number,
) {
  const after: ChangedClick[] = (await setMark(
    session,
    'clicks',
    CHANGED_COLUMNS,
    ids,
    marking,
  )) as never;
  const before = after.map((row) => ({ ...row, [COLUMN_OF[marking.mark]]: false }));
  await moveCounts(session, before, after, MARK_AS_SERVER);
  const changedIds = after.map(({ id }) => id);
  const withdrawn = await withdrawClicks(session, changedIds, now);
  const since = posthogSince ?? Number.POSITIVE_INFINITY;
  const sent = after.filter(
    ({ id, received_at, is_for_posthog }) =>
      is_for_posthog && received_at >= since && !withdrawn.has(id),
  );
  return { marked: after.length, sent: sent.map(({ id }) => id) };
}

/** Marks the visits of these ids. @returns the number of marked ones */
export const markVisits = async (session: Session, ids: string[], marking: Marking) =>
  (await setMark(session, 'visits', 'id', ids, marking)).length;

/**
 * Takes the marking of these clicks back, moves their counts, and queues their events for PostHog,
 * which merges an event that it has.
 *
 * @param posthogSince since when PostHog gets clicks, in milliseconds since 1970; null: it gets
 * none
 * @param now milliseconds since 1970
 * @returns the number of clicks
 */
export async function unmarkClicks(
  session: Session,
  ids: string[],
  marking: Marking,
  posthogSince: number | null,
  now: number,
): Promise<number> {
  const after: ChangedClick[] = (await removeMark(
    session,
    'clicks',
    CHANGED_COLUMNS,
    ids,
    marking,
  )) as never;
  const before = after.map((row) => ({ ...row, [COLUMN_OF[marking.mark]]: true }));
  await moveCounts(session, before, after, MARK_AS_SERVER);
  const since = posthogSince ?? Number.POSITIVE_INFINITY;
  const ofPosthog = after.filter(({ received_at }) => received_at >= since);
  const idsOfPosthog = ofPosthog.map(({ id }) => id);
  await queueClicks(session, idsOfPosthog, now);
  return after.length;
}

/** Takes the marking of these visits back. @returns their number */
export const unmarkVisits = async (session: Session, ids: string[], marking: Marking) =>
  (await removeMark(session, 'visits', 'id', ids, marking)).length;

type Table = 'clicks' | 'visits';

/** Marks rows that have no mark. @returns the columns of the changed rows */
async function setMark(
  { run }: Session,
  table: Table,
  columns: string,
  ids: string[],
  { id, mark }: Marking,
): Promise<Row[]> {
  const sql = `UPDATE ${table} SET ${COLUMN_OF[mark]} = true, marking = $2
    WHERE id = $1 AND ${IS_UNMARKED} RETURNING ${columns}`;
  return updateEach(run, sql, ids, id);
}

/** Takes a marking of rows back. @returns the columns of the changed rows */
async function removeMark(
  { run }: Session,
  table: Table,
  columns: string,
  ids: string[],
  { id, mark }: Marking,
): Promise<Row[]> {
  const sql = `UPDATE ${table} SET ${COLUMN_OF[mark]} = false, marking = NULL
    WHERE id = $1 AND marking = $2 RETURNING ${columns}`;
  return updateEach(run, sql, ids, id);
}

/** @param sql has the id of a row as `$1`, and the id of the marking as `$2` */
async function updateEach(
  run: Session['run'],
  sql: string,
  ids: string[],
  marking: string,
): Promise<Row[]> {
  const changed = await Promise.all(ids.map((id) => run(sql, [id, marking])));
  return changed.flat();
}
