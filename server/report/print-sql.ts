/** Prints the SQL of a table with its values. A reader checks a figure with it, or asks a further question. */
import type { Database, Value } from '../database/database.ts';
import { without } from './dimensions.ts';
import type { Question } from './question.ts';
import { COUNTS, clicksOf, IS_UNRATED, type SelectedRows, visitsOf } from './selection.ts';

/** Tables of the page, by the address of their SQL and CSV. */
export const FIGURES = [
  'total',
  'day',
  'campaign',
  'class',
  'cta',
  'device',
  'hour',
  'ref',
] as const;
export type FigureName = (typeof FIGURES)[number];

const DAY_MS = 24 * 60 * 60 * 1000;
const TWO_HOURS_MS = 2 * 60 * 60 * 1000;

/** @returns statements that give the rows of the report's CSV, each with its key, visits, clicks and clicks with a known visit */
export function printSql(figure: FigureName, question: Question, kind: Database['kind']): string {
  const names = figure === 'device' ? (['device', 'language'] as const) : [figure];
  const statements = names.map((name) => statementOf(name, question, kind));
  const { since, until } = question.period;
  if (figure === 'total')
    statements.push(
      `SELECT COUNT(*) AS registrations FROM registrations WHERE registered_at >= ${since} AND registered_at < ${until};`,
    );
  const { from, to, timeZone } = question;
  const place = kind === 'postgres' ? 'PostgreSQL, schema site' : 'SQLite 3.44 or later';
  return `-- From ${from} to ${to}, time zone ${timeZone}. For ${place}.
-- Times are milliseconds since 1970. Visits and clicks leave out robots and the team's own.
-- Rate: 100 * rated / visits, from 30 visits on.

${statements.join('\n\n')}
`;
}

function statementOf(
  name: FigureName | 'language',
  question: Question,
  kind: Database['kind'],
): string {
  const own = name === 'hour' ? 'weekday' : name;
  const filters = without(question.filters, own);
  const clicks = clicksOf({ ...question, filters });
  const visits = visitsOf({ ...question, filters });
  const part = (counts: string, table: string, rows: SelectedRows) =>
    `  SELECT ${keyOf(name, rows, kind, question.length === 1)} AS key, ${counts}
  FROM ${table} WHERE ${withValues(rows)} AND ${COUNTS}`;
  const rated = `CASE WHEN ${IS_UNRATED} THEN 0 ELSE 1 END`;
  const parts = [part(`0 AS visits, 1 AS clicks, ${rated} AS rated`, 'clicks', clicks)];
  if (name !== 'cta' && name !== 'hour') parts.push(part('1, 0, 0', 'visits', visits));
  return `SELECT key, SUM(visits) AS visits, SUM(clicks) AS clicks, SUM(rated) AS rated FROM (
${parts.join('\n  UNION ALL\n')}
) AS counted GROUP BY key ORDER BY clicks DESC, visits DESC;`;
}

/** @param isHourly the period is one day */
function keyOf(
  name: string,
  { local, columns }: SelectedRows,
  kind: Database['kind'],
  isHourly: boolean,
): string {
  if (name === 'total') return "'total'";
  if (name === 'hour')
    return `CONCAT(${columns.weekday}, ' ', ${local} % ${DAY_MS} / ${TWO_HOURS_MS} * 2)`;
  if (name !== 'day') return columns[name as keyof typeof columns] ?? "''";
  return kind === 'postgres'
    ? `TO_CHAR(TO_TIMESTAMP(${local} / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD${isHourly ? '"T"HH24' : ''}')`
    : `STRFTIME('%Y-%m-%d${isHourly ? 'T%H' : ''}', ${local} / 1000, 'unixepoch')`;
}

/** Writes the values into the condition. */
const withValues = ({ where, values }: SelectedRows): string =>
  where.replace(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1] ?? null));

const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
