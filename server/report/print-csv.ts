/** The report's tables as one CSV file, for spreadsheets. */
import { csvCell } from '../text/safe-text.ts';
import { hideSmall, NOT_HIDDEN } from './hide-small.ts';
import { rateOf } from './numbers.ts';
import type { Report, ReportTable } from './report.ts';

const HEAD = [
  ...['table', 'key', 'name', 'visits', 'clicks', 'clicks_per_100_visits'],
  ...['visits_before', 'clicks_before'],
];

/** Of a shared report: small figures and what could give them away are empty. */
export function printCsv({ now, before, byDay, tables, question }: Report): string {
  const total = { id: 'total', hasVisits: true, rows: [{ key: '', name: 'All', now, before }] };
  const lines = [total, byDay, ...tables].flatMap((table) => linesOf(table, question.isShared));
  return [HEAD, ...lines].map((cells) => `${cells.map(csvCell).join()}\r\n`).join('');
}

function linesOf(
  { id, rows, hasVisits }: Pick<ReportTable, 'id' | 'rows' | 'hasVisits'>,
  isShared: boolean,
) {
  const hidden = isShared ? hideSmall(rows) : NOT_HIDDEN;
  if (!hidden) return [];
  return rows.map((row) => {
    const { key, name, now, before } = row;
    const compared = isShared
      ? [null, null, null]
      : [
          rateOf(now)?.toFixed(1) ?? null,
          hasVisits ? (before?.visits ?? null) : null,
          before?.clicks ?? null,
        ];
    return [
      ...[id, key, name],
      hidden.visits.has(row) || !hasVisits ? null : now.visits,
      hidden.clicks.has(row) ? null : now.clicks,
      ...compared,
    ];
  });
}
