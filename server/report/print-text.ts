/** The report as text for a terminal or a mail: totals and the first rows of each table. */
import { quoted } from '../text/shell.ts';
import { printableReport } from './printable-report.ts';
import {
  optionsOf,
  type Report,
  type Row,
  scopeOptions,
  shortTime,
  type Table,
  toCommand,
} from './report.ts';

/** A longer table of days is left out, because the weeks say the same. */
const MOST_DAYS = 31;
const HIDDEN = '-';

export function printText(made: Report): string {
  const report = printableReport(made);
  const { since, until, asOf } = report;
  const tables = report.tables.filter(isForText).map((table) => printTable(report, table));
  return [
    `Clicks from ${shortTime(since)} to before ${shortTime(until)} (UTC), received by ${new Date(asOf).toISOString()}.`,
    ...(hasLines(report) ? [linesHelp(report)] : []),
    ...tables,
    ...report.unknown,
  ]
    .join('\n\n')
    .concat('\n');
}

const hasLines = ({ isShared, tables }: Report) =>
  !isShared && tables.some(({ columns }) => columns.some(({ options }) => options !== null));

const linesHelp = (report: Report) =>
  `To print the lines of a figure, add its options to this command; for a figure in another column than the first,\n` +
  `also those of the column (robots: --robots only; a call to action: --event NAME):\n  ${toCommand(scopeOptions(report))}`;

const isForText = ({ id, rows }: Table) =>
  id === 'day' ? rows.length <= MOST_DAYS : !['hour', 'via', 'screen'].includes(id);

function printTable(report: Report, table: Table): string {
  const hasOptions = !report.isShared && table.columns.some(({ options }) => options !== null);
  const rows = table.rows.filter(
    ({ kind, cells }) => kind !== 'value' || cells.some((n) => n !== 0),
  );
  const texts = [
    [table.of, ...table.columns.map(({ title }) => title), ...(hasOptions ? ['options'] : [])],
    ...rows.map((row) => [
      row.hint ? `${row.label} (${row.hint})` : row.label,
      ...row.cells.map((n) => (n === null ? HIDDEN : String(n))),
      ...(hasOptions ? [rowOptions(report, table, row)] : []),
    ]),
  ];
  const heading = `${table.title}\n${'='.repeat(table.title.length)}`;
  return [heading, align(texts, table.columns.length), ...(table.note ? [table.note] : [])].join(
    '\n',
  );
}

function rowOptions(report: Report, { columns }: Table, row: Row): string {
  const [first] = columns;
  if (!first || optionsOf(report, row, first) === null) return '';
  return [...row.options, ...(first.options ?? [])].map(quoted).join(' ');
}

/** The first column is aligned to the left, and figures to the right. */
function align(rows: string[][], figures: number): string {
  const widths = Array.from({ length: figures + 1 }, (_, i) =>
    Math.max(...rows.map((cells) => cells[i]?.length ?? 0)),
  );
  return rows
    .map((cells) =>
      cells
        .map((cell, i) =>
          i === 0
            ? cell.padEnd(widths[i] ?? 0)
            : i > figures
              ? cell
              : cell.padStart(widths[i] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
