/** Compares the clicks of the table with those that PostHog has, by the days (UTC) of the browsers' clocks. */
import { z } from 'zod';
import { firstIdOf, ID_AHEAD_MS, OLDEST_ID_MS } from '../clicks/id-time.ts';
import { dayOf, MAY_BE_SENT } from '../clicks/store-clicks.ts';
import type { Reader } from '../database/open-reader.ts';
import type { AskPosthog } from './api.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Upper bound for the time that PostHog needs to show an event. */
const SETTLE_MS = 10 * 60 * 1000;
/** Rows of one answer. PostHog cuts it at 50,000. */
const PAGE = 20_000;

export type CheckedDay = Awaited<ReturnType<typeof checkDay>>;

/** By the ids' dates, too, because the table has no index of times. A browser may send a click a week late. */
const OF_DAY = `SELECT id, ${MAY_BE_SENT} AS is_sent, received_at, uuid, refused
  FROM clicks LEFT JOIN posthog_outbox ON uuid = id WHERE id >= $1 AND id < $2
  AND COALESCE(clicked_at, received_at) >= $3 AND COALESCE(clicked_at, received_at) < $4`;
type TableRow = [string, boolean | 0 | 1, number, string | null, string | null];

/** @param since beginning of the day, in milliseconds since 1970 */
export async function checkDay(reader: Reader, ask: AskPosthog, since: number) {
  const until = since + DAY_MS;
  // First, so that each of its clicks is in the table.
  const atPosthog = await readIds(ask, since, until);
  const checked = {
    day: dayOf(since),
    /** Clicks that PostHog should have. */
    table: 0,
    posthog: atPosthog.size,
    /** In the outbox, or too new for PostHog to show them. */
    waiting: 0,
    /** PostHog refuses them for good. The table `posthog_outbox` says why. */
    refused: 0,
    posthogLacks: [] as string[],
    tableLacks: [] as string[],
  };
  const ids = [firstIdOf(since - ID_AHEAD_MS), firstIdOf(until + OLDEST_ID_MS)];
  const add = ([id, isSent, receivedAt, uuid, refused]: TableRow) => {
    const isThere = atPosthog.delete(id);
    if (!isSent) return;
    if (isThere) checked.table += 1;
    else if (refused !== null) checked.refused += 1;
    else if (uuid !== null || receivedAt > Date.now() - SETTLE_MS) checked.waiting += 1;
    else {
      checked.table += 1;
      checked.posthogLacks.push(id);
    }
  };
  await reader.each(OF_DAY, [...ids, since, until], add);
  // A click may have its row on another day, or an operator has emptied it.
  for (const id of [...atPosthog])
    await reader.each('SELECT 1 FROM clicks WHERE id = $1', [id], () => atPosthog.delete(id));
  checked.tableLacks.push(...atPosthog);
  return checked;
}

const answerSchema = z.object({
  results: z.array(z.tuple([z.uuid()])),
  hasMore: z.boolean().nullish(),
});

/** @returns the ids of PostHog's clicks. It may have one twice for some hours */
async function readIds(ask: AskPosthog, since: number, until: number): Promise<Set<string>> {
  const ids = new Set<string>();
  const time = (ms: number) => `toDateTime('${dayOf(ms)} 00:00:00', 'UTC')`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const query: string = `SELECT DISTINCT toString(uuid) AS id FROM events WHERE event = 'cta_click'
      AND timestamp >= ${time(since)} AND timestamp < ${time(until)} AND id > '${last}' ORDER BY id LIMIT ${PAGE}`;
    const { results, hasMore } = await ask('query/', answerSchema, {
      query: { kind: 'HogQLQuery', query },
      name: 'site posthog check',
      // Otherwise PostHog may answer from its cache.
      refresh: 'force_blocking',
    });
    for (const [id] of results) ids.add(id);
    last = hasMore || results.length === PAGE ? results.at(-1)?.[0] : undefined;
  }
  return ids;
}
