/** Sends one batch of events to PostHog, and records the answers as receipts. */
import type { Capture, CaptureEvent, Trouble } from '../../server/posthog/capture/capture.ts';
import type { ReceiptStore } from '../../server/posthog/receipts/receipt-store.ts';
import { countAnswer, type Tally } from './tally.ts';

/** PostHog asks for the mark `historical_migration` from this age on. */
const HISTORICAL_MS = 48 * 60 * 60 * 1000;
const MAX_ATTEMPTS = 4;
/** Longer than all attempts take. Meanwhile no server sends the same events. */
const CLAIM_MS = 4 * 60 * 1000;

export interface Sending {
  capture: Capture;
  store: ReceiptStore;
  tally: Tally;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Also sends events that another sender has claimed. */
  all: boolean;
}

/**
 * @param events without those that have a final receipt
 * @returns the fault after which the next batch would fail too; null: none
 */
export async function sendEvents(
  sending: Sending,
  events: readonly CaptureEvent[],
): Promise<Trouble | null> {
  const { store, tally, all, now } = sending;
  const mine = all ? events : await claim(store, events);
  tally.held += events.length - mine.length;
  const border = now() - HISTORICAL_MS;
  const isOld = ({ timestamp }: CaptureEvent) => Date.parse(timestamp) < border;
  // The mark holds for a whole batch.
  const trouble = await sendPart(sending, mine.filter(isOld), true);
  const recent = mine.filter((event) => !isOld(event));
  if (!trouble) return sendPart(sending, recent, false);
  tally.skipped += recent.length;
  await store.release(recent.map(({ uuid }) => uuid));
  return trouble;
}

async function claim(store: ReceiptStore, events: readonly CaptureEvent[]) {
  const granted = await store.claim(
    events.map(({ uuid }) => uuid),
    CLAIM_MS,
  );
  return events.filter(({ uuid }) => granted.has(uuid));
}

async function sendPart(
  { capture, store, tally, now }: Sending,
  events: CaptureEvent[],
  historical: boolean,
): Promise<Trouble | null> {
  if (events.length === 0) return null;
  const { outcomes, trouble } = await capture.send(events, {
    historical,
    maxAttempts: MAX_ATTEMPTS,
  });
  for (const outcome of outcomes) countAnswer(tally, outcome, trouble?.kind === 'over_quota');
  const at = new Date(now()).toISOString();
  await store.record(outcomes.map((outcome) => ({ ...outcome, channel: 'ledger', at })));
  return trouble;
}
