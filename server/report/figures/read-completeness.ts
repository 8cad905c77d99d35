/**
 * Reads how complete the figures of a period are: clicks that are proven lost, and clicks that
 * PostHog lacks or waits for.
 */

import { IS_COUNTED } from '../../clicks/counted-rows.ts';
import type { Value } from '../../database/database.ts';
import type { Reader } from '../../database/open-reader.ts';
import { OLDEST_ID_MS } from '../../http/browser-clock.ts';
import { MAY_BE_SENT } from '../../posthog/outbox.ts';
import { dayOf } from '../../time.ts';
import { clicksOf, type Selection } from './selection.ts';

/**
 * Counts the clicks that are proven lost, that may still come, and that wait for PostHog. The
 * clicks of a visit are numbered, so each number between its lowest and its highest one in the
 * period must be there. Numbers below the lowest may be in the period before.
 *
 * @param now milliseconds since 1970
 */
export async function readCompleteness(reader: Reader, selection: Selection, now: number) {
  const { counted, values } = clicksOf(selection);
  const [lost, pending, dropped] = await readRow(reader, gapsOf(selection, now), values);
  const [lastAt = null] = await readRow(reader, NEWEST, []);
  const [clicks, since = null] = await readRow(reader, WAITING + counted, values);
  const switchedOn = (await readRow(reader, 'SELECT since FROM posthog_on', []))[0] ?? 0;
  const countBeforePosthog = `
    SELECT COUNT(*)
    FROM clicks
    WHERE ${counted} AND received_at < ${switchedOn} AND ${MAY_BE_SENT}`;
  const isInPeriod = switchedOn > selection.period.since;
  const [before] = isInPeriod ? await readRow(reader, countBeforePosthog, values) : [];
  return {
    // A click that a browser dropped may also be a missing number, so the two are not added.
    lost: Math.max(lost ?? 0, dropped ?? 0) + (await readKeptGaps(reader, selection)),
    pending: pending ?? 0,
    lastAt,
    waiting: { clicks: clicks ?? 0, since },
    beforePosthog: { clicks: before ?? 0, since: switchedOn },
  };
}

/**
 * Reads the number of lost clicks on days (UTC) whose visit ids were emptied by age: it was stored
 * before. It is known only for all clicks together, so with a filter it is 0.
 */
async function readKeptGaps(reader: Reader, { period, filters }: Selection): Promise<number> {
  if (Object.keys(filters).length > 0) return 0;
  const days = [period.since, period.until].map(dayOf);
  const sql = `
    SELECT CAST(SUM(lost) AS BIGINT)
    FROM click_gaps
    WHERE day >= $1 AND day < $2`;
  const [kept] = await readRow(reader, sql, days);
  return kept ?? 0;
}

/** Reads a statement whose result is one row of numbers or NULL. */
async function readRow(reader: Reader, sql: string, values: Value[]) {
  const [row = []] = await reader.all<(number | null)[]>(sql, values);
  return row;
}

/**
 * Makes the statement that finds gaps in the numbers of visits. To be fast, it first looks only at
 * numbers from 2 on, because most visits have only the number 1, and then reads the suspected
 * visits whole. The CROSS JOIN with `found` makes databases skip that if nothing is suspected.
 *
 * @param now milliseconds since 1970
 * @returns SQL of one row: clicks that are proven lost, that may still come, and that browsers
 * dropped
 */
export function gapsOf(selection: Selection, now: number): string {
  const all = clicksOf({ ...selection, filters: {} }).counted;
  const isFiltered = Object.keys(selection.filters).length > 0;
  const ofFilter = `
    AND visit_id IN (SELECT visit_id FROM clicks WHERE ${clicksOf(selection).counted})`;
  const oldest = now - OLDEST_ID_MS;
  // A visit's other numbers may have been received before or after the period, so the visit is read
  // by its ids, without bounds of the time.
  return `WITH suspects AS (
  SELECT visit_id
  FROM clicks
  WHERE ${all}
    AND (seq > 1 OR dropped > 0)
  GROUP BY visit_id
  HAVING MAX(seq) - COUNT(DISTINCT seq) > 1 OR SUM(dropped) > 0
), visits_with_gaps AS (
  SELECT MAX(received_at) AS newest,
    MAX(seq) - MIN(seq) + 1 - COUNT(DISTINCT seq) AS missing,
    SUM(dropped) AS dropped
  FROM (SELECT 1 FROM suspects LIMIT 1) AS found
  CROSS JOIN clicks
  WHERE id >= $1 AND id < $2 AND ${IS_COUNTED}
    AND visit_id IN (SELECT visit_id FROM suspects)${isFiltered ? ofFilter : ''}
  GROUP BY visit_id
)
SELECT SUM(CASE WHEN newest < ${oldest} THEN missing END) AS lost,
  SUM(CASE WHEN newest >= ${oldest} THEN missing END) AS pending,
  SUM(dropped) AS dropped
FROM visits_with_gaps`;
}

/**
 * Finds the time of the newest visit or click of a person. The inner LIMITs let the database read
 * one row of each table by its index.
 */
const NEWEST = `
  SELECT MAX(at)
  FROM (
    SELECT viewed_at AS at
    FROM (
      SELECT viewed_at
      FROM visits
      WHERE ${IS_COUNTED}
      ORDER BY viewed_at DESC
      LIMIT 1
    ) AS visit
    UNION ALL
    SELECT received_at
    FROM (
      SELECT received_at
      FROM clicks
      WHERE ${IS_COUNTED}
      ORDER BY id DESC
      LIMIT 1
    ) AS click
  ) AS newest`;

/**
 * Counts the clicks in PostHog's outbox; the conditions of a selection follow. A CROSS JOIN,
 * because SQLite reads its left table first, and the outbox is short.
 */
const WAITING = `
  SELECT COUNT(*), MIN(queued_at)
  FROM (
    SELECT uuid, queued_at
    FROM posthog_outbox
    WHERE event IS NULL
  ) AS waiting
  CROSS JOIN clicks
  WHERE id = uuid AND `;
