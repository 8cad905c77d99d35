/** Deletes old receipts, and events that have waited too long. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DeliveryState } from '../delivery-state.ts';
import type { ReceiptStore } from './receipt-store.ts';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Browsers repeat their events for hours at most. Visitors' clicks come later, and have receipts of their own. */
const OTHERS_MS = 7 * DAY_MS;
/** Upper bound of receipts without a click in the ledger, about 100 MB. The key in the page lets strangers send events. */
const MAX_OTHERS = 500_000;
/** Events that wait longer are given up: PostHog was away for so long that an operator must look at it. */
const WAITING_MS = 7 * DAY_MS;
/** Rows of one statement. It takes a few milliseconds. */
const ROWS = 500;

interface Parts {
  store: Pick<ReceiptStore, 'forget' | 'expireWaiting'>;
  state: Pick<DeliveryState, 'reportStore'>;
  /** Milliseconds since 1970; null while the clock cannot be trusted: then nothing is deleted by age. */
  trustedNow: () => Promise<number | null>;
  /** Of receipts for clicks of the ledger. */
  retentionMs: number;
  log: Pick<Logger, 'warn'>;
  everyMs?: number;
}

/** Runs every minute, because a flood of events fills the database fast. */
export function startUpkeep(parts: Parts): { stop(): Promise<void> } {
  const { everyMs = MINUTE_MS } = parts;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const work = async () => {
    const now = await parts.trustedNow();
    if (now === null) return;
    const expired = await parts.store.expireWaiting(new Date(now - WAITING_MS));
    if (expired > 0) {
      parts.log.warn(`${expired} events waited for PostHog for seven days and were given up`);
    }
    const what = {
      before: new Date(now - parts.retentionMs),
      othersBefore: new Date(now - Math.min(OTHERS_MS, parts.retentionMs)),
      maxOthers: MAX_OTHERS,
      limit: ROWS,
    };
    while (!stopped && (await parts.store.forget(what)) > 0) await nextTurn();
  };
  const timer = setInterval(() => {
    running = running.then(work).catch((cause) => {
      if (!stopped) parts.state.reportStore(cause);
    });
  }, everyMs).unref();
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
