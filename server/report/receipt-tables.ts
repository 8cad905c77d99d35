/** Completeness at PostHog, from the receipts. */
import { sumOf } from './make-report.ts';
import type { ReceiptCount } from './read-receipts.ts';
import type { Row, Table } from './report.ts';

/** Clicks in the ledger. */
export interface Logged {
  clicks: number;
  /** Clicks of visitors who ask for privacy, which PostHog never gets. */
  private: number;
}

export function completenessTable(receipts: readonly ReceiptCount[], logged: Logged): Table {
  const known = receipts.filter(({ inLedger }) => inLedger);
  const of = (...verdicts: string[]) =>
    sumOf(known.filter(({ verdict }) => verdicts.includes(verdict)).map((count) => count.receipts));
  const dropped = Map.groupBy(
    known.filter(({ verdict }) => verdict === 'drop'),
    ({ detail }) => detail,
  );
  const others = logged.clicks - logged.private - sumOf(known.map((count) => count.receipts));
  return {
    id: 'completeness',
    title: 'How many of them PostHog has',
    of: 'Clicks',
    columns: [{ title: 'Number', options: null }],
    rows: [
      row('In the log', logged.clicks),
      row('Never sent, because the visitor asks for privacy', logged.private),
      row('Confirmed by PostHog', of('ok', 'warning')),
      row('Accepted by PostHog without a verdict', of('accepted')),
      ...[...dropped].map(([detail, counts]) =>
        row(
          `Dropped by PostHog: ${detail || 'no reason given'}`,
          sumOf(counts.map((count) => count.receipts)),
        ),
      ),
      row('To be sent again', of('retry')),
      row('Without a receipt', Math.max(0, others)),
    ],
    note: 'From the receipts of clicks that were made in this period, as they are now. clicks reconcile compares click by click.',
  };
}

const row = (label: string, n: number): Row => ({ label, kind: 'value', options: [], cells: [n] });
