/**
 * Stores clicks in one transaction: the row of each new id, its counter, and its entry in PostHog's
 * outbox.
 */
import { CTA_EVENTS } from '#contract/cta.ts';
import { rowsAs, type Session, type Value } from '../database/database.ts';
import { queueClicks } from '../posthog/outbox.ts';
import { dayOf } from '../time.ts';
import type { ClickRow } from './click.ts';

/**
 * Adds to a counter. There is one for each day (UTC), call to action, kind (robot or person) and
 * server.
 */
const ADD_TO_COUNT = `
  INSERT INTO click_counts (day, event, is_bot, server, n)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (day, event, is_bot, server) DO UPDATE
  SET n = click_counts.n + excluded.n`;

/**
 * The event name under which clicks on unknown buttons are counted, until a server knows the
 * button.
 */
export const UNKNOWN_EVENT = 'unknown';

const FIND_FORGOTTEN = `
  SELECT 1
  FROM clicks
  WHERE id = $1 AND forgotten_at IS NOT NULL`;

export interface StoreOptions {
  /** Name of this server among those that share the database. */
  server: string;
  /** Whether clicks are queued for PostHog. */
  toPosthog: boolean;
}

/**
 * What happened to a click. `logged`: it was new. `duplicate`: the table had its id. `forgotten`:
 * the table had its id, and an operator has erased the row.
 */
export type StoreResult = 'logged' | 'duplicate' | 'forgotten';

/**
 * Stores clicks. Of two clicks with the same id, only the first one can be new.
 *
 * @param now milliseconds since 1970
 * @returns the result of each click, in their order
 */
export async function storeClicks(
  session: Session,
  clicks: ClickRow[],
  { server, toPosthog }: StoreOptions,
  now: number,
): Promise<StoreResult[]> {
  // In the order of ids: two servers that insert the same ids in different orders would deadlock.
  const sorted = clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const inserted = await session.insertNew('clicks', 'id', sorted);
  const newClicks = inserted.map((index) => sorted[index] as ClickRow);
  const newIds = newClicks.map(({ id }) => id);
  const newClickSet = new Set(newClicks);
  const [results] = await Promise.all([
    Promise.all(
      clicks.map((click) =>
        newClickSet.has(click) ? 'logged' : classifyRepetition(session, click),
      ),
    ),
    session.runEach(ADD_TO_COUNT, countsOf(newClicks, server)),
    toPosthog && queueClicks(session, newIds, now),
  ]);
  return results;
}

/** Looks up whether the row of a repeated click was erased. */
const classifyRepetition = async ({ run }: Session, { id }: ClickRow): Promise<StoreResult> =>
  (await run(FIND_FORGOTTEN, [id])).length > 0 ? 'forgotten' : 'duplicate';

/** The columns that decide in which counter a click counts. */
export type CountedClick = Pick<
  ClickRow,
  'id' | 'event' | 'received_at' | 'is_bot' | 'is_internal' | 'is_known'
>;

/**
 * Returns the parameters of ADD_TO_COUNT for these clicks, one list for each counter. Clicks of the
 * team are not counted.
 *
 * @param step -1 to subtract the clicks
 */
function countsOf(clicks: readonly CountedClick[], server: string, step: 1 | -1 = 1): Value[][] {
  const counted = clicks.filter(({ is_internal }) => !is_internal);
  const groups = Map.groupBy(counted, ({ received_at, is_known, event, is_bot }) =>
    JSON.stringify([dayOf(received_at), is_known ? event : UNKNOWN_EVENT, is_bot]),
  );
  // In one order, against deadlocks: two servers on one machine have the same name.
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([key, group]) => [...JSON.parse(key), server, step * group.length]);
}

/**
 * Moves clicks to other counters after their columns have changed. A counter of one server may fall
 * below zero, because readers always add up the counters of all servers.
 *
 * @param before the clicks with their former columns
 * @param after the same clicks with their present columns
 */
export const moveCounts = (
  { runEach }: Session,
  before: readonly CountedClick[],
  after: readonly CountedClick[],
  server: string,
): Promise<void> =>
  runEach(ADD_TO_COUNT, [...countsOf(after, server), ...countsOf(before, server, -1)]);

/** One statement finds and updates the rows, so that only one of two servers gets each row. */
const MARK_AS_KNOWN = `
  UPDATE clicks
  SET is_known = true
  WHERE NOT is_known AND event = $1
  RETURNING id, event, received_at, is_bot, is_internal, is_known`;

/**
 * Finds the clicks on buttons that no server knew when they arrived, and that this version knows.
 * That happens while a new page is deployed before its server. Moves them from the counter
 * `unknown` to those of their buttons, and queues them for PostHog.
 *
 * @param now milliseconds since 1970
 * @returns the number of such clicks, without the team's
 */
export async function countKnownButtons(
  session: Session,
  { server, toPosthog }: StoreOptions,
  now: number,
): Promise<number> {
  const markedByEvent = await Promise.all(
    CTA_EVENTS.map((event) => session.run(MARK_AS_KNOWN, [event])),
  );
  const marked = rowsAs<CountedClick>(markedByEvent.flat());
  const newlyKnown = marked.filter(({ is_internal }) => !is_internal);
  const before = newlyKnown.map((click) => ({ ...click, is_known: false }));
  await moveCounts(session, before, newlyKnown, server);
  const newlyKnownIds = newlyKnown.map(({ id }) => id);
  if (toPosthog) await queueClicks(session, newlyKnownIds, now);
  return newlyKnown.length;
}
