/**
 * Sends events that no other sender sends or has sent, and records PostHog's answers. Works in small parts, so that clicks of
 * visitors do not wait for it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Capture, CaptureEvent, Outcome, SendResult, Trouble } from '../capture/capture.ts';
import type { ReceiptStore } from '../receipts/receipt-store.ts';
import { type Channel, isFinal, type Receipt } from '../receipts.ts';

export interface Sent<E> {
  /** Events with a final verdict, of this request or an earlier one. */
  done: E[];
  /** Events that PostHog asks for again, or did not answer. */
  again: E[];
  /** Events that another sender is sending just now. */
  held: E[];
  /** Has PostHog been asked at all? */
  asked: boolean;
  trouble: Trouble | null;
  retryAfterMs: number | null;
}

export interface SendOnceParts {
  store: ReceiptStore;
  capture: Capture;
  /** Name of this server among those that share the database. */
  owner: string;
  /** Milliseconds since 1970. */
  now: () => number;
  claimMs: number;
  historicalMs: number;
}

export interface Sendable {
  channel: Channel;
  event: CaptureEvent;
}

/**
 * @param events each UUID once
 * @param record writes the receipts
 * @throws (rejects with) the error of the database; then nothing was sent, or its receipts are missing
 */
export async function sendOnce<E extends Sendable>(
  parts: SendOnceParts,
  events: readonly E[],
  record: (receipts: Receipt[]) => Promise<void>,
): Promise<Sent<E>> {
  const { store, owner, claimMs } = parts;
  const uuids = events.map(({ event }) => event.uuid);
  const granted = await store.claim(uuids, { owner, forMs: claimMs });
  await nextTurn();
  const mine = events.filter(({ event }) => granted.has(event.uuid));
  const others = events.filter(({ event }) => !granted.has(event.uuid));
  const receipts = others.length > 0 ? await store.find(others.map((e) => e.event.uuid)) : null;
  const isDone = ({ event }: E) =>
    isFinal(receipts?.get(event.uuid.toLowerCase())?.verdict ?? 'retry');
  const { outcomes, trouble, retryAfterMs } = await sendByAge(parts, mine);
  await nextTurn();
  const answers = mine.flatMap((sendable) => receiptOf(sendable, outcomes, parts.now()));
  await record(answers);
  if (answers.length < mine.length) await store.release(mine.map(({ event }) => event.uuid));
  const final = (e: E) => isFinal(outcomes.get(e.event)?.verdict ?? 'retry');
  return {
    done: [...others.filter(isDone), ...mine.filter(final)],
    again: mine.filter((e) => !final(e)),
    held: others.filter((e) => !isDone(e)),
    asked: mine.length > 0,
    trouble,
    retryAfterMs,
  };
}

type Result = Pick<SendResult, 'trouble' | 'retryAfterMs'> & {
  outcomes: Map<CaptureEvent, Outcome>;
};

/** PostHog wants old events in batches of their own, with a mark. */
async function sendByAge(
  { capture, now, historicalMs }: SendOnceParts,
  sendables: readonly Sendable[],
): Promise<Result> {
  const border = now() - historicalMs;
  const events = sendables.map(({ event }) => event);
  const isOld = ({ timestamp }: CaptureEvent) => Date.parse(timestamp) < border;
  const result: Result = { outcomes: new Map(), trouble: null, retryAfterMs: null };
  for (const historical of [true, false]) {
    const part = events.filter((event) => isOld(event) === historical);
    if (part.length === 0) continue;
    const sent = await capture.send(part, historical ? { historical } : {});
    for (const [i, event] of part.entries()) {
      const outcome = sent.outcomes[i];
      if (outcome) result.outcomes.set(event, outcome);
    }
    Object.assign(result, { trouble: sent.trouble, retryAfterMs: sent.retryAfterMs });
    if (sent.trouble) break;
  }
  return result;
}

function receiptOf(
  { channel, event }: Sendable,
  outcomes: Result['outcomes'],
  at: number,
): Receipt[] {
  const outcome = outcomes.get(event);
  if (!outcome || (outcome.attempts === 0 && !isFinal(outcome.verdict))) return [];
  return [{ ...outcome, channel, at: new Date(at).toISOString() }];
}
