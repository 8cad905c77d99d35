/** The report's tables as CSV, for spreadsheets. */
import { csvCell } from '../text/safe-text.ts';
import { OTHERS, type TableName } from './dimensions.ts';
import type { Row } from './model.ts';
import { rateOf } from './numbers.ts';
import type { FigureName } from './print-sql.ts';
import type { Report } from './report.ts';

const HEAD = [
  ...['table', 'key', 'name', 'visits', 'clicks', 'clicks_per_100_visits'],
  ...['visits_before', 'clicks_before', 'registrations', 'registrations_before'],
];

type Cells = (string | number | null)[];
type Line = Pick<Row, 'key' | 'name' | 'now' | 'before'>;

/** @param figure one table of the page; undefined: all of them */
export function printCsv(report: Report, figure?: FigureName): string {
  const { tables, columns, heat, now, before } = report;
  const registrations = report.hasRegistrations ? [now.registrations, before.registrations] : [];
  const rowsOf = (name: TableName) => tables[name].map(cellsOf(name));
  const lines: Record<FigureName, () => Cells[]> = {
    total: () => [[...cellsOf('total')({ key: '', name: 'All', now, before }), ...registrations]],
    day: () => columns.map((column) => cellsOf('day')({ ...column, name: column.key })),
    ref: () => rowsOf('ref'),
    campaign: () => rowsOf('campaign'),
    class: () => rowsOf('class'),
    cta: () => tables.cta.map(cellsOf('cta', false)),
    device: () => [...rowsOf('device'), ...rowsOf('language')],
    hour: () =>
      heat.flatMap(({ key, name, cells }) =>
        cells.map((clicks, i) => ['hour', `${key} ${2 * i}`, `${name} ${2 * i}:00`, null, clicks]),
      ),
  };
  const names = figure ? [figure] : (Object.keys(lines) as FigureName[]);
  const all: Cells[] = [HEAD, ...names.flatMap((name) => lines[name]())];
  return all.map((cells) => `${HEAD.map((_, i) => csvCell(cells[i] ?? null)).join()}\r\n`).join('');
}

const cellsOf =
  (table: string, hasVisits = true) =>
  ({ key, name, now, before }: Line): Cells => [
    ...[table, key === OTHERS ? '' : key, name, hasVisits ? now.visits : null, now.clicks],
    (hasVisits && rateOf(now)?.toFixed(1)) || null,
    ...[hasVisits ? (before?.visits ?? null) : null, before?.clicks ?? null],
  ];
