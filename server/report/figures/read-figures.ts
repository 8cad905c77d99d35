/**
 * Reads the figures of a period in one pass over its clicks and visits, and one more for each filter. Ids begin with their time, so the
 * clicks of a period are one piece of the table, and the report needs no index of it.
 */

import { OLDEST_ID_MS } from '../../clicks/id-time.ts';
import { MAY_BE_SENT } from '../../clicks/store-clicks.ts';
import type { Value } from '../../database/database.ts';
import type { Reader } from '../../database/open-reader.ts';
import { HOUR_MS, SECOND_MS } from '../../time.ts';
import {
  type Counts,
  emptyFigures,
  emptyTable,
  type Figures,
  rowOf,
  type Table,
  withoutSmallest,
} from './figures.ts';
import {
  COUNTS,
  type Counted,
  clicksOf,
  type Dimension,
  IS_UNRATED,
  type SelectedRows,
  type Selection,
  selectRows,
  TABLES,
  without,
} from './selection.ts';

/** A browser tries again 5 s after a failure, at the earliest. */
const LATE_MS = 5 * SECOND_MS;

/** Between the values of a group, and between the groups of an hour. A ref may have them, and loses them then. */
const SEPARATOR = '\x1f';
const NEXT = '\x1e';

/** The first letter of a group: internal, robot, unrated (without a known visit) or rated. */
const KIND = "WHEN is_internal THEN 'i' WHEN is_bot THEN 'b'";
/** Columns before those of the tables. */
const OWN = {
  clicks: [
    `CASE ${KIND} WHEN ${IS_UNRATED} THEN 'u' ELSE 'r' END`,
    'via',
    "CASE WHEN is_private THEN 'private' WHEN NOT is_known THEN 'unknown' WHEN forgotten_at > 0 THEN 'forgotten' ELSE '' END",
    `CASE WHEN sent_at - clicked_at >= ${LATE_MS} THEN 'late' ELSE '' END`,
  ],
  visits: [`CASE ${KIND} ELSE 'r' END`, "''", "''", "''"],
};
const BOTH: Counted[] = ['clicks', 'visits'];

/**
 * Reads the figures as a report has them: with the largest rows of each table.
 *
 * @param now milliseconds since 1970; null: the figures do not say how complete they are
 */
export async function readShown(
  reader: Reader,
  { now, ...selection }: Selection & { now: number | null },
): Promise<Figures> {
  const figures = await readFigures(reader, selection);
  if (now !== null) Object.assign(figures, await readCompleteness(reader, selection, now));
  for (const name of TABLES) figures.tables[name] = withoutSmallest(figures.tables[name]);
  return figures;
}

async function readFigures(reader: Reader, selection: Selection): Promise<Figures> {
  const figures = emptyFigures();
  for (const what of BOTH) await readGroups(reader, figures, what, selection);
  const filtered = Object.keys(selection.filters) as Dimension[];
  // A reader outside the team sees the filtered rows alone.
  for (const name of selection.isShared ? [] : filtered) {
    const table = await readWhole(reader, selection, name);
    if (name === 'weekday') figures.byHourOfAllDays = table;
    else figures.tables[name] = table;
  }
  const { since, until } = selection.period;
  const [registrations] = await readRow(reader, REGISTRATIONS, [since, until]);
  figures.registrations = registrations ?? 0;
  return figures;
}

const REGISTRATIONS =
  'SELECT COUNT(*) FROM registrations WHERE registered_at >= $1 AND registered_at < $2';

/** Adds each group of each hour to the figures. */
async function readGroups(reader: Reader, figures: Figures, what: Counted, selection: Selection) {
  const rows = selectRows(what, selection);
  const ref = `REPLACE(REPLACE(${rows.columns.ref}, '${SEPARATOR}', ''), '${NEXT}', '')`;
  const texts = TABLES.map((name) => (name === 'ref' ? ref : (rows.columns[name] ?? "''")));
  const group = `CONCAT_WS('${SEPARATOR}', ${[...OWN[what], ...texts].join(', ')})`;
  // The rows of an hour are one text, because a driver needs longer for a row than for its values.
  const sql = `SELECT ${rows.local} / ${HOUR_MS}, STRING_AGG(${group}, '${NEXT}') FROM ${what} WHERE ${rows.where} GROUP BY 1`;
  const groups = new Map<string, number>();
  await readParts(reader, sql, rows, ([hour, joined]: [number, string]) => {
    const row = rowOf(figures.byHour, hourOf(hour));
    for (const group of joined.split(NEXT)) {
      groups.set(group, (groups.get(group) ?? 0) + 1);
      if (/^[ru]/.test(group)) addTo(row, what, group, 1);
    }
  });
  for (const [group, n] of groups) addGroup(figures, what, group, n);
}

/** Reads a table without the filter of its own dimension, so that a reader can go from row to row. That of weekdays has hours as rows. */
async function readWhole(reader: Reader, selection: Selection, name: Dimension): Promise<Table> {
  const table = emptyTable();
  const filters = without(selection.filters, name);
  for (const what of BOTH) {
    const rows = selectRows(what, { ...selection, filters });
    const key = name === 'weekday' ? `${rows.local} / ${HOUR_MS}` : rows.columns[name];
    if (key === null) continue;
    const sql = `SELECT ${key}, COUNT(*), SUM(${rows.rated}) FROM ${what} WHERE ${rows.counted} GROUP BY 1`;
    await readParts(reader, sql, rows, ([value, n, rated]: [string | number, number, number]) => {
      const row = rowOf(
        table,
        typeof value === 'number' ? hourOf(value) : withoutSeparators(value),
      );
      row[what] += n;
      row.rated += rated;
    });
  }
  return table;
}

const withoutSeparators = (text: string) => text.replaceAll(SEPARATOR, '').replaceAll(NEXT, '');

async function readParts<Row extends unknown[]>(
  reader: Reader,
  sql: string,
  { parts, values }: SelectedRows,
  onRow: (row: Row) => void,
) {
  for (const ends of parts) await reader.each(sql, [...ends, ...values.slice(2)], onRow);
}

/** @param n hours since 1970, in the team's zone */
const hourOf = (n: number): string => new Date(n * HOUR_MS).toISOString().slice(0, 13);

function addGroup(figures: Figures, what: Counted, group: string, n: number): void {
  const [kind = '', ...values] = group.split(SEPARATOR);
  const keys = values.splice(OWN[what].length - 1);
  const all = { i: figures.internal, b: figures.robots }[kind] ?? figures;
  addTo(all, what, group, n);
  if (all !== figures) return;
  TABLES.forEach((name, i) => {
    const key = keys[i];
    if (key) addTo(rowOf(figures.tables[name], key), what, group, n);
  });
  for (const mark of values.filter(Boolean)) addTo(rowOf(figures.marks, mark), what, group, n);
}

function addTo(row: Counts, what: Counted, group: string, n: number): void {
  row[what] += n;
  if (what === 'clicks' && group.startsWith('r')) row.rated += n;
}

/**
 * Reads the clicks that are proven lost, may still come, or wait for PostHog. Of a visit with a selected click, the numbers between the
 * lowest and the highest one must be there. Those below the lowest may be in the period before.
 *
 * @param now milliseconds since 1970
 */
async function readCompleteness(reader: Reader, selection: Selection, now: number) {
  const { where, values } = clicksOf(selection);
  const [lost, pending, dropped] = await readRow(reader, gapsOf(selection, now), values);
  const [lastAt = null] = await readRow(reader, NEWEST, []);
  const [clicks, since = null] = await readRow(reader, WAITING + where, values);
  const switchedOn = (await readRow(reader, 'SELECT since FROM posthog_on', []))[0] ?? 0;
  const older = `SELECT COUNT(*) FROM clicks WHERE ${where} AND received_at < ${switchedOn} AND ${MAY_BE_SENT}`;
  const isInPeriod = switchedOn > selection.period.since;
  const [before] = isInPeriod ? await readRow(reader, older, values) : [];
  return {
    // A dropped click may be a missing number too.
    lost: Math.max(lost ?? 0, dropped ?? 0),
    ...{ pending: pending ?? 0, lastAt, waiting: { clicks: clicks ?? 0, since } },
    beforePosthog: { clicks: before ?? 0, since: switchedOn },
  };
}

/** Reads a row of numbers. */
async function readRow(reader: Reader, sql: string, values: Value[]) {
  const rows: (number | null)[][] = [];
  await reader.each(sql, values, (row: (number | null)[]) => rows.push(row));
  return rows[0] ?? [];
}

/**
 * Looks at the numbers from 2 on first, because most visits have only the number 1. Where those have a gap, it reads the whole visit.
 * Databases read nothing more if `found` is empty.
 *
 * @param now milliseconds since 1970 @returns SQL of one row: clicks that are proven lost, that may still come, and that browsers dropped
 */
export function gapsOf(selection: Selection, now: number): string {
  const all = clicksOf({ ...selection, filters: {} }).counted;
  // A number may have come before or after the period.
  const ofVisit = `id >= $1 AND id < $2 AND ${COUNTS}`;
  const isFiltered = Object.keys(selection.filters).length > 0;
  const ofFilter = `AND visit_id IN (SELECT visit_id FROM clicks WHERE ${clicksOf(selection).counted})`;
  const oldest = now - OLDEST_ID_MS;
  return `WITH suspects AS (SELECT visit_id FROM clicks WHERE ${all} AND (seq > 1 OR dropped > 0)
      GROUP BY visit_id HAVING MAX(seq) - COUNT(DISTINCT seq) > 1 OR SUM(dropped) > 0),
    visits_with_gaps AS (SELECT MAX(received_at) AS newest, MAX(seq) - MIN(seq) + 1 - COUNT(DISTINCT seq) AS missing, SUM(dropped) AS dropped
      FROM (SELECT 1 FROM suspects LIMIT 1) AS found CROSS JOIN clicks WHERE ${ofVisit} AND visit_id IN (SELECT visit_id FROM suspects)
      ${isFiltered ? ofFilter : ''} GROUP BY visit_id)
    SELECT SUM(CASE WHEN newest < ${oldest} THEN missing END) AS lost, SUM(CASE WHEN newest >= ${oldest} THEN missing END) AS pending,
      SUM(dropped) AS dropped
    FROM visits_with_gaps`;
}

/** One of the two subqueries may have no row. */
const NEWEST = `SELECT MAX(at) FROM (
  SELECT viewed_at AS at FROM (SELECT viewed_at FROM visits WHERE ${COUNTS} ORDER BY viewed_at DESC LIMIT 1) AS visit
  UNION ALL SELECT received_at FROM (SELECT received_at FROM clicks WHERE ${COUNTS} ORDER BY id DESC LIMIT 1) AS click) AS newest`;

/** Few clicks wait. SQLite reads the left table of a CROSS JOIN first. */
const WAITING = `SELECT COUNT(*), MIN(queued_at) FROM (SELECT uuid, queued_at FROM posthog_outbox WHERE event IS NULL) AS waiting
  CROSS JOIN clicks WHERE id = uuid AND `;
