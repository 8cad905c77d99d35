/**
 * Stores clicks, each id once, with its count and its place in PostHog's outbox, in one
 * transaction.
 */
import { CTA_EVENTS } from '#contract/cta.ts';
import type { Session, Value } from '../database/database.ts';
import { queueClicks } from '../posthog/outbox.ts';
import { dayOf } from '../time.ts';
import type { ClickRow } from './click.ts';

/** Adds to the counter of a day (UTC), call to action, robots or people, and server. */
const ADD_TO_COUNT = `
  INSERT INTO click_counts (day, event, is_bot, server, n)
  VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (day, event, is_bot, server) DO UPDATE
  SET n = click_counts.n + excluded.n`;

/** The counter of clicks on buttons that no server knows yet. */
export const UNKNOWN = 'unknown';

const FIND_FORGOTTEN = `
  SELECT 1
  FROM clicks
  WHERE id = $1 AND forgotten_at IS NOT NULL`;

export interface StoreOptions {
  /** Name of this server among those that share the database. */
  server: string;
  /** Whether there is a PostHog. */
  toPosthog: boolean;
}

/** `forgotten`: a repetition of a click whose personal columns an operator has emptied. */
export type Stored = 'logged' | 'duplicate' | 'forgotten';

/**
 * Returns what became of each click. Of two clicks with one id, only the first one can be new.
 *
 * @param now milliseconds since 1970
 */
export async function storeClicks(
  session: Session,
  clicks: ClickRow[],
  { server, toPosthog }: StoreOptions,
  now: number,
): Promise<Stored[]> {
  // Servers that insert the same ids in different orders would wait for each other.
  const sorted = clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const inserted = await session.insertNew('clicks', 'id', sorted);
  const added = inserted.map((place) => sorted[place] as ClickRow);
  const addedIds = added.map(({ id }) => id);
  const isNew = new Set(added);
  const [results] = await Promise.all([
    Promise.all(
      clicks.map((click) => (isNew.has(click) ? 'logged' : repetitionOf(session, click))),
    ),
    session.runEach(ADD_TO_COUNT, countsOf(added, server)),
    toPosthog && queueClicks(session, addedIds, now),
  ]);
  return results;
}

const repetitionOf = async ({ run }: Session, { id }: ClickRow): Promise<Stored> =>
  (await run(FIND_FORGOTTEN, [id])).length > 0 ? 'forgotten' : 'duplicate';

/** The columns by which a click has its counter. */
export type CountedClick = Pick<
  ClickRow,
  'id' | 'event' | 'received_at' | 'is_bot' | 'is_internal' | 'is_known'
>;

function countsOf(clicks: readonly CountedClick[], server: string, step: 1 | -1 = 1): Value[][] {
  const counted = clicks.filter(({ is_internal }) => !is_internal);
  const groups = Map.groupBy(counted, ({ received_at, is_known, event, is_bot }) =>
    JSON.stringify([dayOf(received_at), is_known ? event : UNKNOWN, is_bot]),
  );
  // Also in one order, because two servers on one machine have the same name.
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([key, group]) => [...JSON.parse(key), server, step * group.length]);
}

/**
 * Moves clicks from the counters of their former rows to those of their present rows. A counter of
 * this server may fall below zero. Every reader adds up those of all servers.
 */
export const moveCounts = (
  { runEach }: Session,
  before: readonly CountedClick[],
  after: readonly CountedClick[],
  server: string,
): Promise<void> =>
  runEach(ADD_TO_COUNT, [...countsOf(after, server), ...countsOf(before, server, -1)]);

/** One statement, so that of two servers only one gets a row. */
const MARK_AS_KNOWN = `
  UPDATE clicks
  SET is_known = true
  WHERE NOT is_known AND event = $1
  RETURNING id, event, received_at, is_bot, is_internal, is_known`;

/**
 * Counts the clicks on buttons that this server knows, and that no server knew when they came: the
 * page was newer than the servers. Moves their counts from `unknown` to their names, and queues
 * them for PostHog. Returns their number.
 *
 * @param now milliseconds since 1970
 */
export async function learnButtons(
  session: Session,
  { server, toPosthog }: StoreOptions,
  now: number,
): Promise<number> {
  const found = await Promise.all(CTA_EVENTS.map((event) => session.run(MARK_AS_KNOWN, [event])));
  const marked: CountedClick[] = found.flat() as never;
  const learnt = marked.filter(({ is_internal }) => !is_internal);
  const before = learnt.map((click) => ({ ...click, is_known: false }));
  await moveCounts(session, before, learnt, server);
  const learntIds = learnt.map(({ id }) => id);
  if (toPosthog) await queueClicks(session, learntIds, now);
  return learnt.length;
}
