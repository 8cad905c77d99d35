/** Sends one batch of events to PostHog, as the server's forwarder does, and counts the answers. */
import { hostname } from 'node:os';
import type { Capture, CaptureEvent, Trouble } from '../../server/posthog/capture/capture.ts';
import { PACE } from '../../server/posthog/forwarder/pace.ts';
import { sendOnce } from '../../server/posthog/forwarder/send-once.ts';
import type { ReceiptStore } from '../../server/posthog/receipts/receipt-store.ts';
import { isFinal, type Receipt } from '../../server/posthog/receipts.ts';
import { countAnswer, type Tally } from './tally.ts';

const MAX_ATTEMPTS = 4;
/** Longer than all attempts take. Meanwhile no server sends the same events. */
const CLAIM_MS = 4 * 60 * 1000;
/** A replay ends the claims of an earlier one on this machine, which was interrupted. */
export const OWNER = `clicks replay on ${hostname()}`;

export interface Sending {
  capture: Capture;
  store: ReceiptStore;
  tally: Tally;
  /** Also sends events that have a final receipt, or that another sender has claimed. */
  all: boolean;
}

/** @returns the fault after which the next batch would fail too; null: none */
export async function sendEvents(
  { capture, store, tally, all }: Sending,
  events: readonly CaptureEvent[],
): Promise<Trouble | null> {
  const patient: Capture = {
    send: (part, options) => capture.send(part, { ...options, maxAttempts: MAX_ATTEMPTS }),
  };
  const unclaimed = { ...store, claim: async (uuids: readonly string[]) => new Set(uuids) };
  const answers: Receipt[] = [];
  const { done, again, held, trouble } = await sendOnce(
    {
      store: all ? unclaimed : store,
      capture: patient,
      owner: OWNER,
      now: Date.now,
      claimMs: CLAIM_MS,
      historicalMs: PACE.historicalMs,
    },
    events.map((event) => ({ channel: 'ledger' as const, event })),
    async (receipts) => {
      answers.push(...receipts);
      await store.record(receipts);
    },
  );
  for (const answer of answers) countAnswer(tally, answer, trouble?.kind === 'over_quota');
  const final = answers.filter(({ verdict }) => isFinal(verdict)).length;
  tally.held += held.length;
  tally.before += done.length - final;
  tally.skipped += again.length - (answers.length - final);
  return trouble;
}
