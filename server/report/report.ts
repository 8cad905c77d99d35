/** The report as data: tables of figures, and for each figure the options of `clicks lines` that print its lines. */
import { option, quoted } from '../text/shell.ts';

export interface Column {
  title: string;
  /** Options of `clicks lines`, in addition to the row's. Null: the figures have no lines in the ledger. */
  options: readonly string[] | null;
}

export interface Row {
  label: string;
  /** For people, next to the label. */
  hint?: string;
  /** `rest`: everything behind the first rows; `total`: the whole table. */
  kind: 'value' | 'rest' | 'total';
  options: readonly string[];
  /** One for each column; null: suppressed in a shared report. */
  cells: readonly (number | null)[];
}

export type TableId =
  | 'totals'
  | 'day'
  | 'week'
  | 'hour'
  | 'event'
  | 'ref'
  | 'campaign'
  | 'domain'
  | 'device'
  | 'screen'
  | 'via'
  | 'robots'
  | 'funnel'
  | 'completeness'
  | 'gaps';

export interface Table {
  id: TableId;
  title: string;
  /** Heading of the first column. */
  of: string;
  /** Label of the row without a value. */
  none?: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** One or two sentences below the table; empty: none. */
  note: string;
}

export interface Scope {
  /** Milliseconds since 1970; `since` is included, `until` is not. */
  since: number;
  until: number;
  /** Only what had been received by then counts. */
  asOf: number;
}

export interface Report extends Scope {
  /** For readers without access to the ledger: small figures about clinics are suppressed, and there are no commands. */
  isShared: boolean;
  /** Data folders that a command must name to read the same clicks; empty: the default one alone. */
  folders: readonly string[];
  tables: readonly Table[];
  /** Sentences about what the report does not know. */
  unknown: readonly string[];
}

export const tableOf = (report: Report, id: TableId): Table | undefined =>
  report.tables.find((table) => table.id === id);

/** Options that choose the report's clicks, without those of a figure. */
export function scopeOptions(report: Report): string[] {
  const { since, until, asOf, folders } = report;
  return [
    ...['--since', shortTime(since), '--until', shortTime(until)],
    ...['--as-of', new Date(asOf).toISOString()],
    ...folders.flatMap((folder) => option('--ledger', folder)),
  ];
}

/** Options that print exactly the lines of a figure. Null: it has no lines. */
export function optionsOf(report: Report, row: Row, column: Column): string[] | null {
  if (report.isShared || column.options === null) return null;
  return [...scopeOptions(report), ...row.options, ...column.options];
}

export const toCommand = (options: readonly string[]): string =>
  `npm run -s clicks -- lines ${options.map(quoted).join(' ')}`;

/** `2026-01-31` for the start of a day, otherwise with the time. */
export function shortTime(ms: number): string {
  const iso = new Date(ms).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso;
}
