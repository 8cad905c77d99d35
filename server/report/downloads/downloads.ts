/**
 * Writes a table of the report as SQL that a reader can run, to check a figure or to ask a further
 * question, and as CSV for spreadsheets.
 */
import type { Database, Value } from '../../database/database.ts';
import { csvCell } from '../../html/safe-text.ts';
import {
  FIGURES,
  type FigureName,
  figureQuery,
  MOST_ROWS,
  viewsQuery,
} from '../figures/figure-query.ts';
import { rateOf, whole } from '../figures/numbers.ts';
import { gapsOf } from '../figures/read-completeness.ts';
import type { FigureRow, Report } from '../figures/report.ts';
import { clicksOf, OTHERS } from '../figures/selection.ts';
import type { Question } from '../question.ts';

/** Returns the figures of a table of the page. The table of devices also shows the languages. */
const tablesOf = (figure: FigureName): FigureName[] =>
  figure === 'device' ? ['device', 'language'] : [figure];

/**
 * Writes the statements of a table, with their values in place, for the table's period and the
 * period before. Their columns are key, visits, clicks and rated clicks.
 *
 * @param figure `gaps`: clicks that are proven lost, and those that may still come
 * @param now milliseconds since 1970
 */
export function writeSql(
  figure: FigureName | 'gaps',
  question: Question,
  kind: Database['kind'],
  now: number,
): string {
  const statements =
    figure === 'gaps'
      ? [`${withValues(gapsOf(question, now), clicksOf(question).values)};`]
      : statementsOf(figure, question, kind);
  const { from, to, timeZone } = question;
  const place = kind === 'postgres' ? 'PostgreSQL, schema site' : 'SQLite';
  return `-- From ${from} to ${to}, time zone ${timeZone}. For ${place}.
-- Times are milliseconds since 1970. Visits and clicks leave out robots, automated browsers
-- and the team's own.
-- Rate: 100 * rated / visits, from 30 visits on. After ${whole(MOST_ROWS)} rows, the report adds up the others.

${statements.join('\n\n')}
`;
}

function statementsOf(figure: FigureName, question: Question, kind: Database['kind']): string[] {
  const ofPeriod = (period: Question['period']) =>
    tablesOf(figure).map((name) => statementOf(name, { ...question, period }, kind));
  const { since, until } = question.period;
  const registrations = `SELECT COUNT(*) AS registrations
FROM registrations
WHERE registered_at >= ${since} AND registered_at < ${until};`;
  // Registrations have no ref and no button, so no filter applies to them.
  const hasRegistrations = figure === 'total' && Object.keys(question.filters).length === 0;
  const viewsIn = (period: Question['period']) => {
    if (figure !== 'total') return [];
    const { sql, values } = viewsQuery({ ...question, period });
    return [`${withValues(sql, values)};`];
  };
  return [
    ...ofPeriod(question.period),
    ...viewsIn(question.period),
    ...(hasRegistrations ? [registrations] : []),
    '-- The period before:',
    ...ofPeriod(question.before),
    ...viewsIn(question.before),
  ];
}

function statementOf(figure: FigureName, question: Question, kind: Database['kind']): string {
  const { sql, values } = figureQuery(figure, question, kind);
  return `${withValues(sql, values)};`;
}

/** Replaces `$1`, `$2` … by the values. */
const withValues = (sql: string, values: Value[]): string =>
  sql.replace(/\$(\d+)/g, (_, place: string) => literal(values[Number(place) - 1] ?? null));

/** Writes a value as an SQL literal. */
const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** Headings of the CSV file. */
const HEADINGS = [
  'table',
  'key',
  'name',
  'visits',
  'clicks',
  'clicks_per_100_visits',
  'visits_before',
  'clicks_before',
  'registrations',
  'registrations_before',
  'views',
  'views_before',
];

type Cells = (string | number | null)[];

/** Writes the report as CSV. @param figure one table of the page; undefined: all of them */
export function writeCsv(report: Report, figure?: FigureName): string {
  const names = figure ? tablesOf(figure) : FIGURES;
  const all: Cells[] = [HEADINGS, ...names.flatMap((name) => linesOf(report, name))];
  return all
    .map((cells) => `${HEADINGS.map((_, i) => csvCell(cells[i] ?? null)).join()}\r\n`)
    .join('');
}

/** Returns the lines of one table. */
function linesOf({ now, before, ...report }: Report, name: FigureName): Cells[] {
  const registrations = report.hasRegistrations
    ? [now.registrations, before.registrations]
    : [null, null];
  const views = [now.views, before.views];
  if (name === 'total')
    return [[...cellsOf(name, { key: '', name: 'All', now, before }), ...registrations, ...views]];
  if (name === 'day')
    return report.columns.map((column) => cellsOf(name, { ...column, name: column.key }));
  if (name !== 'hour') return report.tables[name].map((row) => cellsOf(name, row));
  return report.heat.flatMap(({ key, name: weekday, cells }) =>
    cells.map((clicks, i) => ['hour', `${key} ${2 * i}`, `${weekday} ${2 * i}:00`, null, clicks]),
  );
}

/** Returns a line with the cells of a row, as HEADINGS names them. */
function cellsOf(table: string, row: Pick<FigureRow, 'key' | 'name' | 'now' | 'before'>): Cells {
  const { key, name, now, before } = row;
  // A button has no visits of its own: each visitor could press each button.
  const hasVisits = table !== 'cta';
  return [
    table,
    key === OTHERS ? '' : key,
    name,
    hasVisits ? now.visits : null,
    now.clicks,
    (hasVisits && rateOf(now)?.toFixed(1)) || null,
    hasVisits ? (before?.visits ?? null) : null,
    before?.clicks ?? null,
  ];
}
