/** Counts the clicks of the last days by what became of them at PostHog: the log, and the receipts. */
import { statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CompletenessFigures } from '#dashboards/completeness.ts';
import { offsetBefore } from '../../clicks/ledger/find-time.ts';
import { ledgerFiles, readLedger } from '../../clicks/ledger/read-ledger.ts';
import type { CaptureEvent } from '../capture/capture.ts';
import { type LedgerLine, readLine } from '../forwarder/read-line.ts';
import type { ReceiptStore } from '../receipts/receipt-store.ts';

export interface CountParts {
  /** Path of the ledger. */
  ledger: string;
  store: Pick<ReceiptStore, 'find'>;
  /** Returns the event of a click, or the reason why PostHog never gets it. */
  toEvent(click: LedgerLine): CaptureEvent | string;
  warn(message: string): void;
}

/** Times of clicks in milliseconds since 1970: from, and before. */
export interface Window {
  from: number;
  to: number;
}

type Counts = Pick<CompletenessFigures, 'log' | 'private' | 'robots' | 'waiting' | 'others'> & {
  /** PostHog's receipts say that it has them. */
  confirmed: number;
};

/** PostHog did not take the click yet, and the server cannot change that. */
const OVER_QUOTA = 'billing_limit_exceeded';
/** A click may be dated a day ahead, and is then received before its own time. */
const AHEAD_MS = 25 * 60 * 60 * 1000;
/** Between two parts the server answers requests. */
const PART = 100;

/** Reads this server's ledger. Rejects if the receipts cannot be read. */
export async function countClicks(parts: CountParts, window: Window): Promise<Counts> {
  const counts = { log: 0, private: 0, robots: 0, waiting: 0, confirmed: 0 };
  const others = new Map<string, number>();
  const add = (reason: string) => others.set(reason, (others.get(reason) ?? 0) + 1);
  for await (const clicks of clicksOf(parts, window)) {
    counts.log += clicks.length;
    const due: string[] = [];
    for (const click of clicks) {
      const event = parts.toEvent(click);
      if (event === 'private') counts.private += 1;
      else if (event === 'robot') counts.robots += 1;
      else if (typeof event === 'string') add(event);
      else due.push(click.id);
    }
    const receipts = await parts.store.find(due);
    for (const id of due) {
      const { verdict = 'retry', detail } = receipts.get(id.toLowerCase()) ?? {};
      if (verdict === 'drop' || detail === OVER_QUOTA) add(detail ?? 'no reason given');
      else if (verdict === 'retry') counts.waiting += 1;
      else counts.confirmed += 1;
    }
  }
  const byNumber = [...others].sort(([, a], [, b]) => b - a);
  return { ...counts, others: byNumber.map(([reason, clicks]) => ({ reason, clicks })) };
}

async function* clicksOf({ ledger, warn }: CountParts, { from, to }: Window) {
  const received = from - AHEAD_MS;
  for (const file of withoutCopies(ledgerFiles(ledger))) {
    if (statSync(file).mtimeMs < received) continue;
    const start = offsetBefore(file, received);
    for await (const { lines } of readLedger(file, start, Number.POSITIVE_INFINITY, warn)) {
      for (let i = 0; i < lines.length; i += PART) {
        await nextTurn();
        const clicks = lines.slice(i, i + PART).flatMap((line) => readLine(line) ?? []);
        yield clicks.filter(({ timestamp }) => isWithin(Date.parse(timestamp), { from, to }));
      }
    }
  }
}

const isWithin = (time: number, { from, to }: Window): boolean => time >= from && time < to;

/** While a file is packed, it and its packed copy exist. */
const withoutCopies = (files: string[]): string[] =>
  files.filter((file) => !files.includes(file.replace(/\.gz$/, '')) || !file.endsWith('.gz'));
