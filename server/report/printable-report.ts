/** The report with texts that a terminal, a drawing or a spreadsheet can show. Its commands have the exact values. */
import { printable } from '../text/printable.ts';
import type { Report, Row, Table } from './report.ts';

export const printableReport = (report: Report): Report => ({
  ...report,
  tables: report.tables.map(printableTable),
  unknown: report.unknown.map(printable),
});

const printableTable = (table: Table): Table => ({
  ...table,
  columns: table.columns.map((column) => ({ ...column, title: printable(column.title) })),
  rows: table.rows.map(printableRow),
  note: printable(table.note),
});

const printableRow = (row: Row): Row => ({
  ...row,
  label: printable(row.label),
  ...(row.hint !== undefined && { hint: printable(row.hint) }),
});
