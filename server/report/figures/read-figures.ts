/**
 * Reads the figures of a period: one statement for each table of the report, and a few more about
 * how complete they are. Ids of clicks begin with their time (UUID v7), so the clicks of a period
 * are one range of the primary key, and the report needs no other index.
 */

import { IS_COUNTED } from '../../clicks/counted-rows.ts';
import type { Value } from '../../database/database.ts';
import type { Reader } from '../../database/open-reader.ts';
import { OLDEST_ID_MS } from '../../http/browser-clock.ts';
import { MAY_BE_SENT } from '../../posthog/outbox.ts';
import { dayOf, SECOND_MS } from '../../time.ts';
import { countTogether } from './count-together.ts';
import { type FigureName, figureQuery, MOST_ROWS, sumQuery, viewsQuery } from './figure-query.ts';
import {
  addUp,
  type Counts,
  type CountsByKey,
  emptyFigures,
  type Figures,
  noCounts,
} from './figures.ts';
import { clicksOf, OTHERS, type Selection, TABLES, visitsOf } from './selection.ts';

/** Least time from a press to a second delivery: a browser tries again 5 s after a failure. */
const SECOND_DELIVERY_MS = 5 * SECOND_MS;

/**
 * Reads all figures of a report, with the largest rows of each table. Call `reader.freeze` first:
 * otherwise clicks that come meanwhile make the tables differ from each other.
 *
 * @param now milliseconds since 1970. null: the figures are those of the period before, which have
 * no hours, and do not say how complete they are
 * @throws (rejects with) an Error that says which figures could not be read, and why
 */
export async function readFigures(
  reader: Reader,
  { now, ...selection }: Selection & { now: number | null },
): Promise<Figures> {
  const figures = emptyFigures();
  const shown = TABLES.filter((table) => table !== 'site' || selection.hasSites);
  const names: FigureName[] = ['day', ...shown, ...(now === null ? [] : ['hour' as const])];
  const tables = await readTables(reader, names, selection);
  figures.byDay = tables.day ?? {};
  figures.byHour = tables.hour ?? {};
  const total = addUp(Object.values(figures.byDay));
  Object.assign(figures, total);
  for (const name of shown)
    figures.tables[name] = withFiltered(tables[name] ?? {}, selection.filters[name], total);
  const [views = 0, briefViews = 0] = await withName('views', countViews(reader, selection));
  Object.assign(figures, { views, briefViews });
  figures.registrations = await withName('registrations', countRegistrations(reader, selection));
  if (now === null) return figures;
  Object.assign(
    figures,
    await withName('robots and ways of delivery', readMarks(reader, selection)),
  );
  const completeness = readCompleteness(reader, selection, now);
  return Object.assign(figures, await withName('gaps and PostHog', completeness));
}

/** Adds the name of what is read to its error. */
const withName = <T>(what: string, reading: Promise<T>): Promise<T> =>
  reading.catch((cause: Error) => {
    throw new Error(`${what} could not be read: ${cause.message}`, { cause });
  });

type Tables = Partial<Record<FigureName, CountsByKey>>;

/**
 * Reads the tables by one statement each. With SQLite, short tables are counted together first
 * (count-together.ts).
 */
async function readTables(
  reader: Reader,
  names: readonly FigureName[],
  selection: Selection,
): Promise<Tables> {
  const tables: Tables =
    reader.kind === 'sqlite'
      ? await withName('the tables', countTogether(reader, names, selection))
      : {};
  for (const name of names)
    tables[name] ??= await withName(`the table "${name}"`, readTable(reader, name, selection));
  return tables;
}

/** A row of a table: its key, visits, clicks, and clicks whose visit is counted. */
type TableRow = [key: string, visits: number, clicks: number, rated: number];

/** Reads a table. The rows after MOST_ROWS become one row, `OTHERS`. */
async function readTable(
  reader: Reader,
  figure: FigureName,
  selection: Selection,
): Promise<CountsByKey> {
  const { sql, values } = figureQuery(figure, selection, reader.kind);
  const rows = await reader.all<TableRow>(sql, values);
  const table = Object.fromEntries(rows.map((row) => [row[0], countsOf(row)]));
  if (rows.length < MOST_ROWS) return table;
  const sum = sumQuery(figure, selection);
  const [all] = await reader.all<TableRow>(sum.sql, sum.values);
  const others = all ? subtract(countsOf(all), addUp(rows.map(countsOf))) : noCounts();
  return others.clicks + others.visits > 0 ? { ...table, [OTHERS]: others } : table;
}

/**
 * Adds the row by which the page is filtered, if it is one of the rows that OTHERS adds up.
 *
 * @param counts counts of that row, which are the totals of the filtered page
 */
function withFiltered(
  table: CountsByKey,
  filtered: string | undefined,
  counts: Counts,
): CountsByKey {
  const others = table[OTHERS];
  if (filtered === undefined || Object.hasOwn(table, filtered) || !others) return table;
  return { ...table, [filtered]: counts, [OTHERS]: subtract(others, counts) };
}

const countsOf = ([, visits, clicks, rated]: TableRow): Counts => ({ visits, clicks, rated });

const subtract = (all: Counts, part: Counts): Counts => ({
  visits: all.visits - part.visits,
  clicks: all.clicks - part.clicks,
  rated: all.rated - part.rated,
});

function countViews(reader: Reader, selection: Selection): Promise<number[]> {
  const { sql, values } = viewsQuery(selection);
  return readCounts(reader, sql, values);
}

const REGISTRATIONS = `SELECT COUNT(*)
FROM registrations
WHERE registered_at >= $1 AND registered_at < $2`;

async function countRegistrations(reader: Reader, { period }: Selection): Promise<number> {
  const [n = 0] = await readCounts(reader, REGISTRATIONS, [period.since, period.until]);
  return n;
}

const IS_INTERNAL = 'is_internal';
const IS_ROBOT = 'is_bot AND NOT is_internal';
const IS_AUTOMATED = 'is_automated AND NOT is_bot AND NOT is_internal';
/** SQL conditions of the clicks that `Figures.marks` counts. */
const MARKS = {
  fetch: "via = 'fetch'",
  beacon: "via = 'beacon'",
  ping: "via = 'ping'",
  late: `sent_at - clicked_at >= ${SECOND_DELIVERY_MS}`,
  private: 'is_private',
  scripted: 'is_scripted',
  unknown: 'NOT is_private AND NOT is_known',
  forgotten: 'NOT is_private AND is_known AND forgotten_at > 0',
};

/** Returns one SQL column for each condition, with the number of rows that meet it. */
const countWhere = (...conditions: string[]): string =>
  conditions.map((condition) => `COUNT(CASE WHEN ${condition} THEN 1 END)`).join(',\n  ');

/**
 * Counts what only operators read: robots, automated browsers, the team's own clicks and visits,
 * and the ways of delivery.
 */
async function readMarks(reader: Reader, selection: Selection) {
  const marks = Object.values(MARKS).map((mark) => `${IS_COUNTED} AND ${mark}`);
  const ofClicks = clicksOf(selection);
  const clicks = await readCounts(
    reader,
    `SELECT ${countWhere(IS_INTERNAL, IS_ROBOT, IS_AUTOMATED, ...marks)}
FROM clicks
WHERE ${ofClicks.where}`,
    ofClicks.values,
  );
  const ofVisits = visitsOf(selection);
  const visits = await readCounts(
    reader,
    `SELECT ${countWhere(IS_INTERNAL, IS_ROBOT, IS_AUTOMATED)}
FROM visits
WHERE ${ofVisits.where}`,
    ofVisits.values,
  );
  const countsAt = (i: number) => ({ visits: visits[i] ?? 0, clicks: clicks[i] ?? 0, rated: 0 });
  const [internal, robots, automated, ...marked] = clicks.map((_, i) => countsAt(i));
  const names = Object.keys(MARKS);
  return {
    internal,
    robots,
    automated,
    marks: Object.fromEntries(names.map((name, i) => [name, marked[i]])),
  };
}

/** Reads a statement whose result is one row of counts. */
async function readCounts(reader: Reader, sql: string, values: Value[]): Promise<number[]> {
  const [row = []] = await reader.all<number[]>(sql, values);
  return row;
}

/**
 * Counts the clicks that are proven lost, that may still come, and that wait for PostHog. The
 * clicks of a visit are numbered, so each number between its lowest and its highest one in the
 * period must be there. Numbers below the lowest may be in the period before.
 *
 * @param now milliseconds since 1970
 */
async function readCompleteness(reader: Reader, selection: Selection, now: number) {
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
