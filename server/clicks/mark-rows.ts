/**
 * Marks clicks and visits as made by a robot or by the team, which takes them out of all figures,
 * and takes a marking back (`site mark`). Only rows without a mark can be marked. So a row belongs
 * to one marking at most, and a marking that is taken back leaves no trace.
 */
import { type Row, rowsAs, type Session } from '../database/database.ts';
import { MAY_BE_SENT_IF_UNMARKED, queueClicks, withdrawClicks } from '../posthog/outbox.ts';
import { type CountedClick, moveCounts } from './store-clicks.ts';

export const MARKS = ['robot', 'internal'] as const;
type Mark = (typeof MARKS)[number];

const COLUMN_OF = { robot: 'is_bot', internal: 'is_internal' } as const satisfies Record<
  Mark,
  string
>;

/** A row of the table `markings`: the rows that an operator has marked together. */
export interface Marking {
  id: string;
  mark: Mark;
}

/** SQL condition for a row that has neither mark. */
export const IS_UNMARKED = 'NOT is_bot AND NOT is_internal';

/**
 * The value of `click_counts.server` for corrections by markings. No running server writes to these
 * counters, so none waits for them.
 */
const SERVER_OF_MARKED_CLICKS = 'mark';

/** The columns that the counters and PostHog's outbox need of a changed click. */
const CHANGED_COLUMNS = `id, event, received_at, is_bot, is_internal, is_known,
  ${MAY_BE_SENT_IF_UNMARKED} AS is_for_posthog`;

interface ChangedClick extends CountedClick {
  /** Whether PostHog may get the click if it has no mark. SQLite returns 0 or 1. */
  is_for_posthog: boolean | 0 | 1;
}

/**
 * Marks clicks, corrects their counters, and withdraws their events from PostHog's outbox.
 *
 * @param posthogSince since when PostHog gets clicks, in milliseconds since 1970; null: it gets
 * none
 * @param now milliseconds since 1970
 * @returns the number of marked clicks, and the ids of those that PostHog has or may get from the
 * batch under way
 */
export async function markClicks(
  session: Session,
  ids: string[],
  marking: Marking,
  posthogSince: number | null,
  now: number,
) {
  const after = await changeClicks(session, ids, marking, true);
  const changedIds = after.map(({ id }) => id);
  const withdrawn = await withdrawClicks(session, changedIds, now);
  const since = posthogSince ?? Number.POSITIVE_INFINITY;
  const sent = after.filter(
    ({ id, received_at, is_for_posthog }) =>
      is_for_posthog && received_at >= since && !withdrawn.has(id),
  );
  return { marked: after.length, sent: sent.map(({ id }) => id) };
}

/** Marks visits. @returns the number of marked visits */
export const markVisits = async (session: Session, ids: string[], marking: Marking) =>
  (await setMark(session, 'visits', 'id', ids, marking)).length;

/**
 * Takes the marking of clicks back, corrects their counters, and queues their events for PostHog.
 * PostHog merges an event that it already has.
 *
 * @param posthogSince since when PostHog gets clicks, in milliseconds since 1970; null: it gets
 * none
 * @param now milliseconds since 1970
 * @returns the number of changed clicks
 */
export async function unmarkClicks(
  session: Session,
  ids: string[],
  marking: Marking,
  posthogSince: number | null,
  now: number,
): Promise<number> {
  const after = await changeClicks(session, ids, marking, false);
  const since = posthogSince ?? Number.POSITIVE_INFINITY;
  const clicksForPosthog = after.filter(({ received_at }) => received_at >= since);
  const idsForPosthog = clicksForPosthog.map(({ id }) => id);
  await queueClicks(session, idsForPosthog, now);
  return after.length;
}

/** Takes the marking of visits back. @returns the number of changed visits */
export const unmarkVisits = async (session: Session, ids: string[], marking: Marking) =>
  (await removeMark(session, 'visits', 'id', ids, marking)).length;

/**
 * Sets or removes the mark of clicks, and moves their counts.
 *
 * @param isMarked whether the clicks have the mark afterwards
 * @returns the changed clicks, as they are afterwards
 */
async function changeClicks(
  session: Session,
  ids: string[],
  marking: Marking,
  isMarked: boolean,
): Promise<ChangedClick[]> {
  const change = isMarked ? setMark : removeMark;
  const rows = await change(session, 'clicks', CHANGED_COLUMNS, ids, marking);
  const after = rowsAs<ChangedClick>(rows);
  const before = after.map((row) => ({ ...row, [COLUMN_OF[marking.mark]]: !isMarked }));
  await moveCounts(session, before, after, SERVER_OF_MARKED_CLICKS);
  return after;
}

type Table = 'clicks' | 'visits';

/**
 * Marks those of the rows that have no mark.
 *
 * @param columns SQL list of the columns to return
 * @returns these columns of the changed rows
 */
async function setMark(
  { run }: Session,
  table: Table,
  columns: string,
  ids: string[],
  { id, mark }: Marking,
): Promise<Row[]> {
  const sql = `
    UPDATE ${table}
    SET ${COLUMN_OF[mark]} = true, marking = $2
    WHERE id = $1 AND ${IS_UNMARKED}
    RETURNING ${columns}`;
  return updateEach(run, sql, ids, id);
}

/**
 * Takes a marking of rows back.
 *
 * @param columns SQL list of the columns to return
 * @returns these columns of the changed rows
 */
async function removeMark(
  { run }: Session,
  table: Table,
  columns: string,
  ids: string[],
  { id, mark }: Marking,
): Promise<Row[]> {
  const sql = `
    UPDATE ${table}
    SET ${COLUMN_OF[mark]} = false, marking = NULL
    WHERE id = $1 AND marking = $2
    RETURNING ${columns}`;
  return updateEach(run, sql, ids, id);
}

/**
 * Runs an UPDATE for each row.
 *
 * @param sql has the row's id as `$1` and the marking's id as `$2`
 * @returns the changed rows
 */
async function updateEach(
  run: Session['run'],
  sql: string,
  ids: string[],
  marking: string,
): Promise<Row[]> {
  const changed = await Promise.all(ids.map((id) => run(sql, [id, marking])));
  return changed.flat();
}
