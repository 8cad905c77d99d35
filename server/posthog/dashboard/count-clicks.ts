/** Counts the clicks of the last days by what became of them at PostHog: the log, and the receipts. */
import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompletenessFigures } from '#dashboards/completeness.ts';
import { offsetBefore } from '../../clicks/ledger/find-time.ts';
import { type LedgerLine, parseLine } from '../../clicks/ledger/parse-line.ts';
import { ledgerFiles, readLedger } from '../../clicks/ledger/read-ledger.ts';
import type { CaptureEvent } from '../capture/capture.ts';
import type { ReceiptStore } from '../receipts/receipt-store.ts';
import type { Receipt } from '../receipts.ts';
import { type Limits, sortClick } from '../reconcile/sort-click.ts';

export interface CountParts {
  /** Path of the ledger. */
  ledger: string;
  store: Pick<ReceiptStore, 'find'>;
  /** Returns the event of a click, or the reason why PostHog never gets it. */
  toEvent(click: LedgerLine): CaptureEvent | string;
  /** Age up to which the server sends a click by itself. */
  retentionMs: number;
  warn(message: string): void;
}

/** Times of clicks in milliseconds since 1970: from, and before. */
export interface Window {
  from: number;
  to: number;
}

type Counts = Pick<
  CompletenessFigures,
  'log' | 'private' | 'robots' | 'waiting' | 'others' | 'unknown'
> & {
  /** PostHog's receipts say that it has them. */
  confirmed: number;
};

/** PostHog did not take the click yet, and the server cannot change that. */
const OVER_QUOTA = 'billing_limit_exceeded';
/** A click may be dated a day ahead, and is then received before its own time. */
const AHEAD_MS = 25 * 60 * 60 * 1000;
/** Between two parts the server answers requests. */
const PART = 100;

/** Reads this server's ledger, and sorts its clicks as `clicks reconcile` does. Rejects if the receipts cannot be read. */
export async function countClicks(parts: CountParts, window: Window, now: number): Promise<Counts> {
  const limits = { now, retentionMs: parts.retentionMs, posthogFrom: null };
  const fates = new Map<string, number>();
  for await (const clicks of clicksOf(parts, window)) {
    const receipts = await parts.store.find(clicks.map(({ id }) => id));
    for (const click of clicks) {
      const fate = fateOf(
        parts.toEvent(click),
        click,
        receipts.get(click.id.toLowerCase()),
        limits,
      );
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
    }
  }
  const take = (fate: string): number => {
    const clicks = fates.get(fate) ?? 0;
    fates.delete(fate);
    return clicks;
  };
  return {
    log: [...fates.values()].reduce((sum, clicks) => sum + clicks, 0),
    confirmed: take('delivered'),
    private: take('private'),
    robots: take('robot'),
    waiting: take('waiting'),
    unknown: take('unknown'),
    others: [...fates]
      .sort(([, a], [, b]) => b - a)
      .map(([reason, clicks]) => ({ reason, clicks })),
  };
}

/** @returns a fate, or the reason why PostHog does not have the click */
function fateOf(
  event: CaptureEvent | string,
  { received_at, timestamp }: LedgerLine,
  receipt: Receipt | undefined,
  limits: Limits,
): string {
  if (typeof event === 'string') return event;
  const times = { received: Date.parse(received_at), timestamp: Date.parse(timestamp) };
  const { fate, reason } = sortClick({ ...times, receipt, isAtPosthog: null }, limits);
  return fate === 'dropped' || reason === OVER_QUOTA ? (reason ?? fate) : fate;
}

async function* clicksOf({ ledger, warn }: CountParts, { from, to }: Window) {
  const received = from - AHEAD_MS;
  for (const file of withoutCopies(ledgerFiles(ledger))) {
    if (statSync(file).mtimeMs < received) continue;
    const start = offsetBefore(file, received);
    for await (const { lines } of readLedger(file, start, Number.POSITIVE_INFINITY, warn)) {
      for (let i = 0; i < lines.length; i += PART) {
        await nextTurn();
        const clicks = lines.slice(i, i + PART).flatMap((line) => parseLine(line) ?? []);
        yield clicks.filter(({ timestamp }) => isWithin(Date.parse(timestamp), { from, to }));
      }
    }
  }
}

const isWithin = (time: number, { from, to }: Window): boolean => time >= from && time < to;

/** While a file is packed, it and its packed copy exist. */
const withoutCopies = (files: string[]): string[] =>
  files.filter((file) => !files.includes(file.replace(/\.gz$/, '')) || !file.endsWith('.gz'));
