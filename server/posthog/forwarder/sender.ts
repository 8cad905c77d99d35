/** Sends the forwarder's batches: reports faults, and keeps to the pauses that PostHog needs. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Capture } from '../capture/capture.ts';
import type { DeliveryState } from '../delivery-state.ts';
import type { ReceiptStore, WaitingEvent } from '../receipts/receipt-store.ts';
import type { Receipt } from '../receipts.ts';
import { type Pace, pauseAfter } from './pace.ts';
import { type Sent, sendOnce } from './send-once.ts';

export interface SenderParts {
  store: ReceiptStore;
  capture: Capture;
  state: DeliveryState;
  /** Name of this server among those that share the database; the same after a restart. */
  owner: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
  pace: Pace;
}

export interface Sender {
  /** @throws (rejects with) the error of the database, or the signal's reason */
  send(events: readonly WaitingEvent[]): Promise<Sent<WaitingEvent>>;
  /** Number of events for the next request. */
  size(): number;
  /** Waits after a failure. */
  pause(sent: Pick<Sent<unknown>, 'trouble' | 'retryAfterMs'>): Promise<void>;
  sleep(ms: number): Promise<void>;
  /** Rests after work that began at this time, in monotonic milliseconds. */
  rest(began: number): Promise<void>;
}

export function createSender(parts: SenderParts, signal: AbortSignal): Sender {
  const { store, state, pace, random } = parts;
  const settings = { ...parts, claimMs: pace.claimMs, historicalMs: pace.historicalMs };
  let failures = 0;
  const sleep = (ms: number) => wait(ms, undefined, { signal, ref: false });

  /** Tries until the database has the receipts. Without them the events would be sent twice. */
  const record = async (receipts: Receipt[]) => {
    for (;;) {
      try {
        await store.record(receipts);
        return state.reportStore(null);
      } catch (cause) {
        state.reportStore(cause);
        await sleep(pace.firstPauseMs);
      }
    }
  };

  return {
    sleep,
    size: () => (state.isFailing() ? pace.probe : pace.batch),
    async send(events) {
      signal.throwIfAborted();
      const sent = await sendOnce(settings, events, record);
      if (!sent.asked) return sent;
      failures = sent.trouble ? failures + 1 : 0;
      // An event that failed before may itself be the cause. It can end a fault, and not begin one.
      const isRepeated = events.every(({ attempts }) => attempts > 0);
      if (!sent.trouble || !isRepeated || state.isFailing()) state.report(sent.trouble);
      return sent;
    },
    async rest(began) {
      const wanted = pace.restShare * (performance.now() - began);
      await sleep(Math.min(Math.max(wanted, pace.shortestRestMs), pace.longestRestMs));
    },
    async pause({ trouble, retryAfterMs }) {
      if (trouble) await sleep(pauseAfter(trouble, failures, retryAfterMs, pace, random()));
    },
  };
}
