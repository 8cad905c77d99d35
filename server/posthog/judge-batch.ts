/** Decides from PostHog's answer what becomes of each row of a batch. */
import type { CompleteEvent } from './complete-event.ts';
import type { DueRow, makeEvent } from './make-event.ts';
import type { Settled } from './outbox.ts';
import type { Answer, Away, Verdicts } from './post-batch.ts';

/** A row with its event. */
export interface Made {
  row: DueRow;
  event: ReturnType<typeof makeEvent>;
}

/** The delay of an event that PostHog asks for again, in milliseconds. It doubles. */
export interface Delays {
  firstDelay: number;
  longestDelay: number;
}

/** `halve`: one of several events is at fault. Smaller batches find it. */
export type Judged = { kind: 'settled'; settled: Settled } | { kind: 'halve' } | Away;

/** @param now milliseconds since 1970. Pure */
export function judgeBatch(
  batch: readonly Made[],
  answer: Answer,
  delays: Delays,
  now: number,
): Judged {
  if (answer.kind === 'away') return answer;
  if (answer.kind === 'bad_batch') {
    if (batch.length > 1) return { kind: 'halve' };
    const refused = batch.map(({ row }) => ({ uuid: row.uuid, reason: answer.reason }));
    return { kind: 'settled', settled: { done: [], later: [], refused } };
  }
  if (isNothingStored(eventsOf(batch), answer.verdicts))
    return { kind: 'away', reason: 'PostHog stored none of the events', retryAfterMs: 0 };
  return { kind: 'settled', settled: settle(batch, answer.verdicts, delays, now) };
}

export const eventsOf = (batch: readonly Made[]): CompleteEvent[] =>
  batch.flatMap(({ event }) => (typeof event === 'object' ? [event] : []));

/** Then no single event is at fault. A single event that PostHog asks for again may be. */
function isNothingStored(events: readonly CompleteEvent[], verdicts: Verdicts): boolean {
  const results = events.map(({ uuid }) => verdicts.get(uuid)?.result);
  if (results.length === 1) return results[0] === undefined;
  return results.length > 0 && results.every((result) => (result ?? 'retry') === 'retry');
}

/** `limited` is an older name of `warning`. All of them are stored. */
const STORED = ['ok', 'warning', 'limited'];

function settle(
  batch: readonly Made[],
  verdicts: Verdicts,
  { firstDelay, longestDelay }: Delays,
  now: number,
): Settled {
  const settled: Settled = { done: [], later: [], refused: [] };
  for (const { row, event } of batch) {
    const { uuid, attempts } = row;
    const { result = 'retry', details } = verdicts.get(uuid) ?? {};
    const dueAt = now + Math.min(firstDelay * 2 ** attempts, longestDelay);
    if (event === 'withdrawn' || STORED.includes(result)) settled.done.push(uuid);
    else if (result === 'retry') settled.later.push({ uuid, dueAt });
    // A verdict that this server does not know is final too, but it proves nothing.
    else settled.refused.push({ uuid, reason: details ?? result });
  }
  return settled;
}
