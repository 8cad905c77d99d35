/** The report as one row per figure: CSV, JSON lines and Parquet. */
import { parquetWriteBuffer } from 'hyparquet-writer';
import { csvCell } from '../text/csv-cell.ts';
import { toPrintableJson } from '../text/printable.ts';
import { printableReport } from './printable-report.ts';
import { optionsOf, type Report, toCommand } from './report.ts';

export interface FigureRow {
  table: string;
  /** The row's name in the table, in CSV without unprintable characters. The command has the exact value. */
  label: string;
  kind: 'value' | 'rest' | 'total';
  measure: string;
  /** null: suppressed. */
  value: number | null;
  /** Prints exactly the lines of the figure; null: it has none, or the report is shared. */
  command: string | null;
}

export function figureRows(report: Report): FigureRow[] {
  return report.tables.flatMap((table) =>
    table.rows.flatMap((row) =>
      table.columns.map((column, i) => {
        const options = optionsOf(report, row, column);
        return {
          table: table.id,
          label: row.label,
          kind: row.kind,
          measure: column.title,
          value: row.cells[i] ?? null,
          command: options && toCommand(options),
        };
      }),
    ),
  );
}

const COLUMNS = ['table', 'label', 'kind', 'measure', 'value', 'command'] as const;

export const printJsonLines = (report: Report): string =>
  figureRows(report)
    .map((row) => `${toPrintableJson(row)}\n`)
    .join('');

export function printCsv(report: Report): string {
  const rows = figureRows(printableReport(report)).map((row) =>
    COLUMNS.map((name) => csvCell(row[name])),
  );
  return [[...COLUMNS], ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

export function printParquet(report: Report): Uint8Array {
  const rows = figureRows(report);
  const texts = (name: 'table' | 'label' | 'kind' | 'measure') => ({
    name,
    data: rows.map((row) => row[name]),
    type: 'STRING' as const,
  });
  const columnData = [
    ...(['table', 'label', 'kind', 'measure'] as const).map(texts),
    {
      name: 'value',
      data: rows.map(({ value }) => value),
      type: 'DOUBLE' as const,
      nullable: true,
    },
    {
      name: 'command',
      data: rows.map(({ command }) => command),
      type: 'STRING' as const,
      nullable: true,
    },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
