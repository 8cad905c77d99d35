/**
 * Stores clicks, each id once, with its count and its place in PostHog's outbox, in one
 * transaction.
 */
import { CTA_EVENTS } from '#contract/cta.ts';
import type { Session, Value } from '../database/database.ts';
import { dayOf } from '../time.ts';
import type { LoggedClick } from './import-clicks.ts';

/** Adds to the counter of a day (UTC), call to action, robots or people, and server. */
const ADD_TO_COUNT = `INSERT INTO click_counts (day, event, is_bot, server, n) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (day, event, is_bot, server) DO UPDATE SET n = click_counts.n + excluded.n`;

/** The counter of clicks on buttons that no server knows yet. */
export const UNKNOWN = 'unknown';

const IS_FORGOTTEN = 'SELECT 1 FROM clicks WHERE id = $1 AND forgotten_at IS NOT NULL';

export interface StoreOptions {
  /** Name of this server among those that share the database. */
  server: string;
  /** Whether there is a PostHog. */
  toPosthog: boolean;
}

/** `forgotten`: a repetition of a click whose personal columns an operator has emptied. */
export type Stored = 'logged' | 'duplicate' | 'forgotten';

/** A click's columns. A new one was never forgotten. */
export type Storable = Omit<LoggedClick, 'forgotten_at'> & { forgotten_at?: number | null };

/**
 * Returns what became of each click. Of two clicks with one id, only the first one can be new.
 *
 * @param now milliseconds since 1970
 */
export async function storeClicks(
  session: Session,
  clicks: Storable[],
  { server, toPosthog }: StoreOptions,
  now: number,
): Promise<Stored[]> {
  // Servers that insert the same ids in different orders would wait for each other.
  const sorted = clicks.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const inserted = await session.insertNew('clicks', 'id', sorted);
  const fresh = new Set(inserted.map((place) => sorted[place] as Storable));
  const [results] = await Promise.all([
    Promise.all(
      clicks.map((click) => (fresh.has(click) ? 'logged' : repetitionOf(session, click))),
    ),
    session.runEach(ADD_TO_COUNT, countsOf([...fresh], server)),
    toPosthog && queueClicks(session, [...fresh], now),
  ]);
  return results;
}

const repetitionOf = async ({ run }: Session, { id }: Storable): Promise<Stored> =>
  (await run(IS_FORGOTTEN, [id])).length > 0 ? 'forgotten' : 'duplicate';

function countsOf(clicks: readonly Storable[], server: string, step: 1 | -1 = 1): Value[][] {
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
  before: readonly Storable[],
  after: readonly Storable[],
  server: string,
): Promise<void> =>
  runEach(ADD_TO_COUNT, [...countsOf(after, server), ...countsOf(before, server, -1)]);

/** The rule of `queueClicks` in SQL, for the sender's query. */
export const MAY_BE_SENT =
  'NOT is_bot AND NOT is_internal AND NOT is_private AND is_known AND forgotten_at IS NULL';

/**
 * The only way for a click into PostHog's outbox. It leaves out robots, the team, visitors who ask
 * for privacy, forgotten clicks and buttons that no server knows yet. The sender makes a click's
 * event from its row (posthog/make-event.ts).
 *
 * @param now milliseconds since 1970; the clicks are due at once
 * @returns the number of those that did not wait already
 */
export async function queueClicks({ insertNew }: Session, clicks: Storable[], now: number) {
  const sent = clicks.filter(
    ({ is_bot, is_internal, is_private, is_known, forgotten_at = null }) =>
      !is_bot && !is_internal && !is_private && is_known && forgotten_at === null,
  );
  const rows = sent.map(({ id }) => ({ uuid: id, event: null, ...newlyQueued(now) }));
  return (await insertNew('posthog_outbox', 'uuid', rows)).length;
}

/** The other columns of a row that waits for its first attempt. */
export const newlyQueued = (now: number) => ({ queued_at: now, due_at: now, attempts: 0 });

/** One statement, so that of two servers only one gets a row. */
const MARK = `UPDATE clicks SET is_known = true WHERE NOT is_known AND event = $1
  RETURNING id, event, received_at, is_bot, is_internal, is_private, is_known, forgotten_at`;

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
  now = Date.now(),
): Promise<number> {
  const found = await Promise.all(CTA_EVENTS.map((event) => session.run(MARK, [event])));
  const learnt = (found.flat() as never as Storable[]).filter(({ is_internal }) => !is_internal);
  const before = learnt.map((click) => ({ ...click, is_known: false }));
  await moveCounts(session, before, learnt, server);
  if (toPosthog) await queueClicks(session, learnt, now);
  return learnt.length;
}
