/**
 * Makes the SQL of each table of the report: one statement, whose rows are in the page and in the
 * CSV file, and which /report/sql shows.
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

/**
 * Names of the tables, also in the addresses of their SQL and CSV. `hour`: two hours of a weekday.
 */
export const FIGURES = ['total', 'day', ...TABLES, 'hour'] as const;
export type FigureName = (typeof FIGURES)[number];

/**
 * Upper bound for a table's rows, because strangers can send any number of refs. Others are added
 * up.
 */
export const MOST_ROWS = 1000;

const TWO_HOURS_MS = 2 * HOUR_MS;

/**
 * Whether a table has visits. A button has none of its own, and the table of hours has only clicks.
 */
export const hasVisits = (figure: FigureName): boolean => figure !== 'cta' && figure !== 'hour';

/**
 * Makes the statement of a table.
 *
 * @returns a statement with the columns key, visits, clicks and rated (clicks whose visit is
 * counted)
 */
export const figureQuery = (figure: FigureName, selection: Selection, kind: Database['kind']) =>
  writeQuery(figure, selection, {
    value: (rows) => valueSql(figure, rows, selection),
    key: keySql(figure, selection, kind),
  });

/** Makes the statement that adds up all rows of a table, also those after MOST_ROWS. */
export const sumQuery = (figure: FigureName, selection: Selection) =>
  writeQuery(figure, selection, { value: () => "'total'", key: 'value' });

/** Makes the statement that counts views, and brief ones among them: one row of two columns. */
export function viewsQuery(selection: Selection) {
  const { counted, values } = viewsOf(selection);
  const sql = `SELECT COUNT(*) AS views, COUNT(CASE WHEN is_brief THEN 1 END) AS brief_views
FROM visits
WHERE ${counted}`;
  return { sql, values };
}

/** By what a statement counts. */
interface Grouping {
  /** Returns the SQL expression by which clicks or visits are grouped. */
  value: (rows: SelectedRows) => string;
  /** SQL expression that makes the key that a reader sees from the column `value`. */
  key: string;
}

/** Returns the filters that apply to the rows of a table. */
export function filtersOf(figure: FigureName, { isShared, filters }: Selection): Filters {
  // A table ignores the filter of its own field, so that a reader can switch to another row of it.
  const own = figure === 'hour' ? 'weekday' : figure;
  // On a shared page, a reader outside the team must see only the filtered rows.
  return isShared ? filters : without(filters, own);
}

/**
 * Writes the statement that counts clicks and visits by a value, and joins both counts in one row.
 */
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
 * Returns the SQL expression by which a table groups its rows. Days and hours are grouped as
 * numbers and become dates afterwards (keySql), because databases sort numbers faster than texts.
 */
export function valueSql(
  figure: FigureName,
  { local, columns }: SelectedRows,
  { length }: Selection,
) {
  if (figure === 'total') return "'total'";
  if (figure === 'day') return `${local} / ${length === 1 ? HOUR_MS : DAY_MS}`;
  // A week has 84 times two hours.
  if (figure === 'hour') return `${local} / ${TWO_HOURS_MS} % 84`;
  return String(columns[figure]);
}

/** Returns the SQL expression that makes the key that a reader sees from the column `value`. */
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
