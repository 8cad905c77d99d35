/** Completeness at PostHog, and the estimate of lost clicks, from the receipts. */
import { describeLoss, estimateTotal } from './loss-meter.ts';
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

export function lossTable(receipts: readonly ReceiptCount[], logged: Logged): Table | null {
  const byBrowser = receipts.filter(
    ({ channel, isCompared }) => channel === 'browser' && isCompared,
  );
  const browser = sumOf(byBrowser.map((count) => count.receipts));
  const both = sumOf(byBrowser.filter(({ inLedger }) => inLedger).map((count) => count.receipts));
  const log = logged.clicks - logged.private;
  if (browser === 0 || both > log) return null;
  const channels = { log, browser, both };
  const { estimate, lower, upper } = estimateTotal(channels);
  return {
    id: 'loss',
    title: 'How many clicks were lost',
    of: 'Clicks',
    columns: [{ title: 'Number', options: null }],
    rows: [
      row('In the log, without those of visitors who ask for privacy', log),
      row('That browsers reported to PostHog, and the server has looked for', browser),
      row('In both', both),
      ...(estimate === null
        ? []
        : [row('Made, at least about', Math.max(lower, Math.round(estimate)))]),
      row('Lower end of the interval', lower),
      ...(upper === null ? [] : [row('Upper end of the interval', upper)]),
    ],
    note: describeLoss(channels),
  };
}

const row = (label: string, n: number): Row => ({ label, kind: 'value', options: [], cells: [n] });
