/**
 * Sets the identifying columns of old clicks (addresses, browser, visit id) to NULL after
 * `personalDataDays`. The rows stay, so that reports and totals stay. It works one day (UTC) at a
 * time. Before a day is emptied, it stores how many of the day's clicks are proven lost: that can
 * only be computed while the visit ids are there.
 */
import { type Database, type Session, write } from '../database/database.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../http/browser-clock.ts';
import { DAY_MS, dayOf } from '../time.ts';
import { IS_COUNTED } from './counted-rows.ts';
import { lowestIdAt, lowestIdReceivedSince, timeOfId } from './id-time.ts';
import { IDENTIFYING_COLUMNS } from './identifying-columns.ts';

/** Upper bound for the rows of one transaction, so that new clicks do not wait long. */
const MAX_ROWS_PER_TRANSACTION = 500;

const FIND_LAST_EMPTIED_DAY = `
  SELECT MAX(day) AS day
  FROM click_gaps
  WHERE emptied_at IS NOT NULL`;
const FIND_LOWEST_ID = `
  SELECT id
  FROM clicks
  WHERE id >= $1 AND received_at >= $2
  ORDER BY id
  LIMIT 1`;
const FIND_EARLIEST_TIME = `
  SELECT MIN(received_at) AS at
  FROM clicks
  WHERE id >= $1 AND id < $2 AND received_at >= $3`;
const NOTE_DAY_IS_EMPTIED = `
  UPDATE click_gaps
  SET emptied_at = $2
  WHERE day = $1`;

/**
 * Finds the oldest day that is over before a time and still has identifying columns.
 *
 * The table has no index of `received_at`, but ids are sorted by time. A click's id is at most 8
 * days older than the click, and at most a day younger. So the lowest id, and the rows up to 9 days
 * after it, contain the oldest click.
 *
 * @param before milliseconds since 1970
 * @returns the start of the day in milliseconds since 1970; null: there is no such day
 */
export async function findFirstDayToEmpty(db: Database, before: number): Promise<number | null> {
  const [{ day = null } = {}] = await write(db, FIND_LAST_EMPTIED_DAY, []);
  const since = day === null ? 0 : Date.parse(String(day)) + DAY_MS;
  if (since + DAY_MS > before) return null;
  const [lowest] = await write(db, FIND_LOWEST_ID, [lowestIdReceivedSince(since), since]);
  if (!lowest) return null;
  const id = String(lowest.id);
  const until = lowestIdAt(timeOfId(id) + OLDEST_ID_MS + ID_AHEAD_MS + 1);
  const [{ at = null } = {}] = await write(db, FIND_EARLIEST_TIME, [id, until, since]);
  const firstDay = Number(at) - (Number(at) % DAY_MS);
  return at === null || firstDay + DAY_MS > before ? null : firstDay;
}

/**
 * Creates the job's step that empties old clicks. It remembers the day under way between its calls.
 */
export function createClickEmptier(db: Database) {
  /** The day that is being emptied, in milliseconds since 1970, and the last emptied id. */
  let current: { day: number; afterId: string } | null = null;

  const startDay = async (before: number) => {
    const day = await findFirstDayToEmpty(db, before);
    if (day === null) return null;
    await db.transaction(keepDayGaps, day);
    return { day, afterId: lowestIdReceivedSince(day) };
  };
  return {
    /**
     * Empties the next rows: at most MAX_ROWS_PER_TRANSACTION.
     *
     * @param before days that are over at this time are emptied. Milliseconds since 1970
     * @param now milliseconds since 1970
     * @returns the number of emptied clicks, and whether there is nothing more to do
     */
    async emptySlice(before: number, now: number): Promise<{ count: number; isLast: boolean }> {
      current ??= await startDay(before);
      if (!current) return { count: 0, isLast: true };
      const { day, afterId } = current;
      const ids = await db.transaction(emptyClicks, [...IDENTIFYING_COLUMNS], day, afterId);
      const last = ids.at(-1);
      if (ids.length === MAX_ROWS_PER_TRANSACTION && last) current = { day, afterId: last };
      else {
        await write(db, NOTE_DAY_IS_EMPTIED, [dayOf(day), now]);
        current = null;
      }
      return { count: ids.length, isLast: false };
    },
  };
}

const FIND_NEXT_OF_DAY = `
  SELECT id
  FROM clicks
  WHERE id > $1 AND id < $2 AND received_at >= $3 AND received_at < $4
  ORDER BY id
  LIMIT ${MAX_ROWS_PER_TRANSACTION}`;

/**
 * Empties the next clicks of a day, in one transaction.
 *
 * @param columns names of the columns to set to NULL
 * @param day start of the day in milliseconds since 1970
 * @param after only ids above this one
 * @returns the ids of the emptied clicks
 */
export async function emptyClicks(
  { run, runEach }: Session,
  columns: string[],
  day: number,
  after: string,
): Promise<string[]> {
  const end = day + DAY_MS;
  const rows = await run(FIND_NEXT_OF_DAY, [after, lowestIdAt(end + ID_AHEAD_MS), day, end]);
  const ids = rows.map(({ id }) => String(id));
  const assignments = columns.map((name) => `${name} = NULL`).join(', ');
  await runEach(
    `
      UPDATE clicks
      SET ${assignments}
      WHERE id = $1`,
    ids.map((id) => [id]),
  );
  return ids;
}

/**
 * Stores how many clicks of a day are proven lost, with the report's own rule: numbers (`seq`) that
 * a visit skips, or clicks that browsers report as dropped, whichever is more. A visit of several
 * days counts on the first of them that is emptied.
 */
const KEEP_DAY_GAPS = `
  INSERT INTO click_gaps (day, lost)
  SELECT
    CAST($1 AS TEXT),
    COALESCE(CASE WHEN SUM(missing) > SUM(dropped) THEN SUM(missing) ELSE SUM(dropped) END, 0)
  FROM (
    SELECT
      MAX(seq) - MIN(seq) + 1 - COUNT(DISTINCT seq) AS missing,
      COALESCE(SUM(dropped), 0) AS dropped
    FROM clicks
    WHERE id >= $2 AND id < $3 AND ${IS_COUNTED} AND visit_id IN (
      SELECT visit_id
      FROM clicks
      WHERE id >= $2 AND id < $3 AND received_at >= $4 AND received_at < $5)
    GROUP BY visit_id) AS visits_of_the_day
  WHERE true
  ON CONFLICT DO NOTHING`;

/**
 * Stores the number of lost clicks of a day in `click_gaps`, unless the table already has the day.
 *
 * @param day start of the day in milliseconds since 1970
 */
export async function keepDayGaps({ run }: Session, day: number): Promise<void> {
  const end = day + DAY_MS;
  const ids = [lowestIdReceivedSince(day), lowestIdAt(end + ID_AHEAD_MS)];
  await run(KEEP_DAY_GAPS, [dayOf(day), ...ids, day, end]);
}
