/**
 * The SQL of each table of the report: one statement, whose rows the page and the CSV file have,
 * and which /report/sql shows.
 */
import type { Database, Value } from '../../database/database.ts';
import { DAY_MS, HOUR_MS, SECOND_MS } from '../../time.ts';
import {
  clicksOf,
  type Filters,
  type SelectedRows,
  type Selection,
  TABLES,
  viewsOf,
  visitsOf,
  weekdayOf,
  without,
} from './selection.ts';

/** Tables of the page, by the address of their SQL and CSV. `hour`: two hours of a weekday. */
export const FIGURES = ['total', 'day', ...TABLES, 'hour'] as const;
export type FigureName = (typeof FIGURES)[number];

/** Strangers can send any number of names. The report adds up those after the first ones. */
export const MOST_ROWS = 1000;

const TWO_HOURS_MS = 2 * HOUR_MS;

/** A call to action has no visits of its own, and the table of hours has clicks only. */
export const hasVisits = (figure: FigureName): boolean => figure !== 'cta' && figure !== 'hour';

/** @returns a statement whose rows are a key, visits, clicks, and clicks with a known visit */
export const figureQuery = (figure: FigureName, selection: Selection, kind: Database['kind']) =>
  writeQuery(figure, selection, {
    value: (rows) => valueSql(figure, rows, selection),
    key: keySql(figure, selection, kind),
  });

/** @returns a statement of the sum of a table, whose first rows `figureQuery` finds */
export const sumQuery = (figure: FigureName, selection: Selection) =>
  writeQuery(figure, selection, { value: () => "'total'", key: 'value' });

/** @returns a statement of one row: views, and those of them that were brief */
export function viewsQuery(selection: Selection) {
  const { counted, values } = viewsOf(selection);
  const sql = `SELECT COUNT(*) AS views, COUNT(CASE WHEN is_brief THEN 1 END) AS brief_views
FROM visits
WHERE ${counted}`;
  return { sql, values };
}

interface Grouping {
  /** SQL of what clicks or visits are counted by. */
  value: (rows: SelectedRows) => string;
  /** SQL of the key that a reader sees, made of `value`. */
  key: string;
}

/** Returns the filters of the rows that a table counts. */
export function filtersOf(figure: FigureName, { isShared, filters }: Selection): Filters {
  // A table whose own field is filtered has all its rows, so that a reader can go from row to row.
  const own = figure === 'hour' ? 'weekday' : figure;
  // A reader outside the team sees the filtered rows only.
  return isShared ? filters : without(filters, own);
}

function writeQuery(figure: FigureName, selection: Selection, { value, key }: Grouping) {
  const filters = filtersOf(figure, selection);
  const values: Value[] = [];
  const clicks = clicksOf({ ...selection, filters }, values);
  const parts = [
    `
  SELECT ${value(clicks)} AS value, 0 AS visits, COUNT(*) AS clicks, SUM(${clicks.rated}) AS rated
  FROM clicks
  WHERE ${clicks.counted}
  GROUP BY 1`,
  ];
  if (hasVisits(figure)) {
    const visits = visitsOf({ ...selection, filters }, values);
    parts.push(`
  SELECT ${value(visits)}, COUNT(*), 0, 0
  FROM visits
  WHERE ${visits.counted}
  GROUP BY 1`);
  }
  const sql = `SELECT ${key} AS key, SUM(visits) AS visits, SUM(clicks) AS clicks, SUM(rated) AS rated
FROM (${parts.join('\n  UNION ALL')}
) AS counted
GROUP BY value
ORDER BY clicks DESC, visits DESC, key
LIMIT ${MOST_ROWS}`;
  return { sql, values };
}

/**
 * Days and hours are numbers until their rows are counted, because databases sort numbers faster
 * than dates.
 */
export function valueSql(
  figure: FigureName,
  { local, columns }: SelectedRows,
  { length }: Selection,
) {
  if (figure === 'total') return "'total'";
  if (figure === 'day') return `${local} / ${length === 1 ? HOUR_MS : DAY_MS}`;
  if (figure === 'hour') return `${local} / ${TWO_HOURS_MS} % 84`;
  return String(columns[figure]);
}

/** @returns SQL of the key that a reader sees, made of the column `value` */
export function keySql(figure: FigureName, { length }: Selection, kind: Database['kind']): string {
  if (figure === 'hour')
    return `${weekdayOf(`(value * ${TWO_HOURS_MS})`)} || ' ' || (value % 12 * 2)`;
  if (figure !== 'day') return 'value';
  const isHourly = length === 1;
  const seconds = `value * ${(isHourly ? HOUR_MS : DAY_MS) / SECOND_MS}`;
  return kind === 'postgres'
    ? `TO_CHAR(TO_TIMESTAMP(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD${isHourly ? '"T"HH24' : ''}')`
    : `STRFTIME('%Y-%m-%d${isHourly ? 'T%H' : ''}', ${seconds}, 'unixepoch')`;
}
