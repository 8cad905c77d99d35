/**
 * Compares the clicks in the table with those in PostHog, for each day (UTC) by the browsers'
 * clocks (`site posthog check`).
 */
import { z } from 'zod';
import { lowestIdAt } from '../../clicks/id-time.ts';
import type { Reader } from '../../database/open-reader.ts';
import { ID_AHEAD_MS, OLDEST_ID_MS } from '../../http/browser-clock.ts';
import { DAY_MS, dayOf } from '../../time.ts';
import { MAY_BE_SENT } from '../outbox.ts';
import type { AskPosthog } from './api.ts';

/** How long PostHog may take until a query shows a new event. Milliseconds. */
const POSTHOG_DELAY_MS = 10 * 60 * 1000;
/** Rows of one answer. PostHog cuts answers at 50,000. */
const ROWS_OF_ANSWER = 20_000;

export type CheckedDay = Awaited<ReturnType<typeof checkDay>>;

/**
 * Selects a day's clicks that PostHog may get, with the state of each. The bounds on `id` limit the
 * part of the table that is read, because the table has no index of times. They are wide, because a
 * browser may send a click a week late.
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

/**
 * Compares one day.
 *
 * @param since start of the day in milliseconds since 1970
 * @returns the counts, the ids that only the table has (`posthogLacks`), and the ids that only
 * PostHog has (`tableLacks`)
 */
export async function checkDay(reader: Reader, ask: AskPosthog, since: number) {
  const until = since + DAY_MS;
  // PostHog first: each of its clicks is then already in the table.
  const posthogIds = await readPosthogIds(ask, since, until);
  const counts = {
    /** Clicks that PostHog should have by now. */
    table: 0,
    posthog: posthogIds.size,
    /** Clicks in the outbox, or too new to be visible in PostHog. */
    waiting: 0,
    /** Clicks that PostHog has refused for good. The table `posthog_outbox` has the reasons. */
    refused: 0,
  };
  const posthogLacks: string[] = [];
  const ids = [lowestIdAt(since - ID_AHEAD_MS), lowestIdAt(until + OLDEST_ID_MS)];
  const values = [...ids, since, until, Date.now() - POSTHOG_DELAY_MS];
  await reader.each(FIND_CLICKS_OF_DAY, values, ([id, state]: [string, keyof typeof counts]) => {
    const isThere = posthogIds.delete(id);
    counts[isThere ? 'table' : state] += 1;
    if (!isThere && state === 'table') posthogLacks.push(id);
  });
  // Some of the remaining ids are in the table all the same: clicks whose time is on another day,
  // or that PostHog should not have, such as erased ones.
  for (const id of [...posthogIds])
    await reader.each('SELECT 1 FROM clicks WHERE id = $1', [id], () => posthogIds.delete(id));
  return { day: dayOf(since), ...counts, posthogLacks, tableLacks: [...posthogIds] };
}

/**
 * HogQL condition that excludes automated browsers. PostHog stores the property as text, and null
 * if it is absent.
 */
const IS_OF_A_PERSON = "coalesce(toString(properties.is_automated), '') != 'true'";

const answerSchema = z.object({
  results: z.array(z.tuple([z.uuid()])),
  hasMore: z.boolean().nullish(),
});

/**
 * Reads the ids of PostHog's clicks of a time span, page by page. DISTINCT, because PostHog may
 * have an event twice for some hours.
 */
async function readPosthogIds(ask: AskPosthog, since: number, until: number): Promise<Set<string>> {
  const ids = new Set<string>();
  const toHogqlTime = (ms: number) => `toDateTime('${dayOf(ms)} 00:00:00', 'UTC')`;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const query: string = `SELECT DISTINCT toString(uuid) AS id
      FROM events
      WHERE event = 'cta_click'
        AND ${IS_OF_A_PERSON}
        AND timestamp >= ${toHogqlTime(since)}
        AND timestamp < ${toHogqlTime(until)}
        AND id > '${last}'
      ORDER BY id
      LIMIT ${ROWS_OF_ANSWER}`;
    const { results, hasMore } = await ask('query/', answerSchema, {
      query: { kind: 'HogQLQuery', query },
      name: 'site posthog check',
      // Forces a new computation. PostHog may otherwise answer from its cache.
      refresh: 'force_blocking',
    });
    for (const [id] of results) ids.add(id);
    last = hasMore || results.length === ROWS_OF_ANSWER ? results.at(-1)?.[0] : undefined;
  }
  return ids;
}
