/**
 * Empties what leads to a person in old clicks: addresses, browser, visit id. The rows stay, so
 * that reports and totals stay. It works by days (UTC), and first keeps how many clicks of the day
 * are proven lost, because only the visit ids show that.
 */
import { type Database, type Session, write } from '../database/database.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../http/browser-clock.ts';
import { DAY_MS, dayOf } from '../time.ts';
import { COUNTS } from './counted-rows.ts';
import { firstIdOf, firstIdSince, madeAt } from './id-time.ts';
import { IDENTIFYING_COLUMNS } from './identifying-columns.ts';

/** Rows of one transaction, so that clicks do not wait long. */
const SLICE = 500;

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
 * Returns the start of the first day that ends before a time, and has clicks which are not emptied.
 * Null: there is none. An id is at most 8 days older than its click, and at most a day younger, so
 * two short reads find it.
 */
export async function firstDayToEmpty(db: Database, before: number): Promise<number | null> {
  const [{ day = null } = {}] = await write(db, FIND_LAST_EMPTIED_DAY, []);
  const since = day === null ? 0 : Date.parse(String(day)) + DAY_MS;
  if (since + DAY_MS > before) return null;
  const [lowest] = await write(db, FIND_LOWEST_ID, [firstIdSince(since), since]);
  if (!lowest) return null;
  const id = String(lowest.id);
  const until = firstIdOf(madeAt(id) + OLDEST_ID_MS + ID_AHEAD_MS + 1);
  const [{ at = null } = {}] = await write(db, FIND_EARLIEST_TIME, [id, until, since]);
  const first = Number(at) - (Number(at) % DAY_MS);
  return at === null || first + DAY_MS > before ? null : first;
}

export function createEmptying(db: Database) {
  /** The day under way, in milliseconds since 1970, and the last id that is done. */
  let current: { day: number; after: string } | null = null;

  const begin = async (before: number) => {
    const day = await firstDayToEmpty(db, before);
    if (day === null) return null;
    await db.transaction(keepGaps, day);
    return { day, after: firstIdSince(day) };
  };
  return {
    /**
     * Empties a slice of the days that end before a time.
     *
     * @param now milliseconds since 1970
     * @returns the number of clicks, and whether there is nothing more to do
     */
    async emptySlice(before: number, now: number): Promise<{ done: number; isLast: boolean }> {
      current ??= await begin(before);
      if (!current) return { done: 0, isLast: true };
      const { day, after } = current;
      const ids = await db.transaction(emptyClicks, [...IDENTIFYING_COLUMNS], day, after);
      const last = ids.at(-1);
      if (ids.length === SLICE && last) current = { day, after: last };
      else {
        await write(db, NOTE_DAY_IS_EMPTIED, [dayOf(day), now]);
        current = null;
      }
      return { done: ids.length, isLast: false };
    },
  };
}

const FIND_NEXT_OF_DAY = `
  SELECT id
  FROM clicks
  WHERE id > $1 AND id < $2 AND received_at >= $3 AND received_at < $4
  ORDER BY id
  LIMIT ${SLICE}`;

/** Empties the next clicks of a day after an id. @returns their ids */
export async function emptyClicks(
  { run, runEach }: Session,
  columns: string[],
  day: number,
  after: string,
): Promise<string[]> {
  const end = day + DAY_MS;
  const rows = await run(FIND_NEXT_OF_DAY, [after, firstIdOf(end + ID_AHEAD_MS), day, end]);
  const ids = rows.map(({ id }) => String(id));
  const emptied = columns.map((name) => `${name} = NULL`).join(', ');
  await runEach(
    `UPDATE clicks SET ${emptied} WHERE id = $1`,
    ids.map((id) => [id]),
  );
  return ids;
}

/**
 * Counts a day's clicks that are proven lost, as the report does: numbers that are missing between
 * the others of a visit, or clicks that browsers have dropped. A visit belongs to the first of its
 * days that is emptied, which may lack clicks of later days: those count with them.
 */
const KEEP_GAPS = `
  INSERT INTO click_gaps (day, lost)
  SELECT
    CAST($1 AS TEXT),
    COALESCE(CASE WHEN SUM(missing) > SUM(dropped) THEN SUM(missing) ELSE SUM(dropped) END, 0)
  FROM (
    SELECT
      MAX(seq) - MIN(seq) + 1 - COUNT(DISTINCT seq) AS missing,
      COALESCE(SUM(dropped), 0) AS dropped
    FROM clicks
    WHERE id >= $2 AND id < $3 AND ${COUNTS} AND visit_id IN (
      SELECT visit_id
      FROM clicks
      WHERE id >= $2 AND id < $3 AND received_at >= $4 AND received_at < $5)
    GROUP BY visit_id) AS visits_of_the_day
  WHERE true
  ON CONFLICT DO NOTHING`;

/** Keeps how many clicks of a day are proven lost, unless that is kept. */
export async function keepGaps({ run }: Session, day: number): Promise<void> {
  const end = day + DAY_MS;
  const ids = [firstIdSince(day), firstIdOf(end + ID_AHEAD_MS)];
  await run(KEEP_GAPS, [dayOf(day), ...ids, day, end]);
}
