/**
 * Compares the clicks of the table with those that PostHog has, by the days (UTC) of the browsers'
 * clocks.
 */
import { z } from 'zod';
import { lowestIdAt } from '../../clicks/id-time.ts';
import type { Reader } from '../../database/open-reader.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../../http/browser-clock.ts';
import { DAY_MS, dayOf } from '../../time.ts';
import { MAY_BE_SENT } from '../outbox.ts';
import type { AskPosthog } from './api.ts';

/** Upper bound for the time that PostHog needs to show an event. */
const POSTHOG_DELAY_MS = 10 * 60 * 1000;
/** Rows of one answer. PostHog cuts it at 50,000. */
const ROWS_OF_ANSWER = 20_000;

export type CheckedDay = Awaited<ReturnType<typeof checkDay>>;

/**
 * The clicks of a day that PostHog may get, each with its state. The ids bound the part of the
 * table that is read, because the table has no index of times. A browser may send a click a week
 * late.
 */
const FIND_CLICKS_OF_DAY = `
  SELECT id,
    CASE
      WHEN refused IS NOT NULL THEN 'refused'
      WHEN uuid IS NOT NULL OR received_at > $5 THEN 'waiting'
      ELSE 'table'
    END AS state
  FROM clicks
  LEFT JOIN posthog_outbox ON uuid = id
  WHERE id >= $1 AND id < $2
    AND ${MAY_BE_SENT}
    AND NOT is_automated
    AND COALESCE(clicked_at, received_at) >= $3
    AND COALESCE(clicked_at, received_at) < $4`;

/** @param since beginning of the day, in milliseconds since 1970 */
export async function checkDay(reader: Reader, ask: AskPosthog, since: number) {
  const until = since + DAY_MS;
  // PostHog is asked before the table, which then has each of its clicks.
  const atPosthog = await readPosthogIds(ask, since, until);
  const counts = {
    /** Clicks that PostHog should have. */
    table: 0,
    posthog: atPosthog.size,
    /** In the outbox, or too new for PostHog to show them. */
    waiting: 0,
    /** PostHog refuses them for good. The table `posthog_outbox` says why. */
    refused: 0,
  };
  const posthogLacks: string[] = [];
  const ids = [lowestIdAt(since - ID_AHEAD_MS), lowestIdAt(until + OLDEST_ID_MS)];
  const values = [...ids, since, until, Date.now() - POSTHOG_DELAY_MS];
  await reader.each(FIND_CLICKS_OF_DAY, values, ([id, state]: [string, keyof typeof counts]) => {
    const isThere = atPosthog.delete(id);
    counts[isThere ? 'table' : state] += 1;
    if (!isThere && state === 'table') posthogLacks.push(id);
  });
  // The table has some of the others: with a time of another day, or as clicks that PostHog should
  // not have, such as forgotten ones.
  for (const id of [...atPosthog])
    await reader.each('SELECT 1 FROM clicks WHERE id = $1', [id], () => atPosthog.delete(id));
  return { day: dayOf(since), ...counts, posthogLacks, tableLacks: [...atPosthog] };
}

/**
 * Not the clicks of automated browsers. PostHog shows a property as a text, and an absent one as
 * null.
 */
const IS_OF_A_PERSON = "coalesce(toString(properties.is_automated), '') != 'true'";

const answerSchema = z.object({
  results: z.array(z.tuple([z.uuid()])),
  hasMore: z.boolean().nullish(),
});

/** @returns the ids of PostHog's clicks. It may have one twice for some hours */
async function readPosthogIds(ask: AskPosthog, since: number, until: number): Promise<Set<string>> {
  const ids = new Set<string>();
  const time = (ms: number) => `toDateTime('${dayOf(ms)} 00:00:00', 'UTC')`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const query: string = `SELECT DISTINCT toString(uuid) AS id
      FROM events
      WHERE event = 'cta_click'
        AND ${IS_OF_A_PERSON}
        AND timestamp >= ${time(since)}
        AND timestamp < ${time(until)}
        AND id > '${last}'
      ORDER BY id
      LIMIT ${ROWS_OF_ANSWER}`;
    const { results, hasMore } = await ask('query/', answerSchema, {
      query: { kind: 'HogQLQuery', query },
      name: 'site posthog check',
      // Without this, PostHog may answer from its cache.
      refresh: 'force_blocking',
    });
    for (const [id] of results) ids.add(id);
    last = hasMore || results.length === ROWS_OF_ANSWER ? results.at(-1)?.[0] : undefined;
  }
  return ids;
}
