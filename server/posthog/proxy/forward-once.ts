/**
 * Passes each event on once, because posthog-js repeats events when a visitor leaves and after a missing answer. An event
 * counts as passed on when PostHog's verdict on it is final. A repetition before that gets the result of the first one.
 */
import type { SendResult } from '../capture/capture.ts';
import type { CompleteEvent } from '../complete-event.ts';
import { isFinal } from '../receipts.ts';

/** Number of remembered ids. PostHog itself merges later repetitions. */
const REMEMBERED = 50_000;

export type Send = (events: CompleteEvent[]) => Promise<SendResult>;

/** @returns a function that resolves with the results of the requests that carried the events, of this call or of another */
export function createForwarder() {
  const passed = new Set<string>();
  const onTheirWay = new Map<string, Promise<SendResult>>();

  const remember = (uuid: string) => {
    const [oldest] = passed;
    if (passed.size >= REMEMBERED && oldest !== undefined) passed.delete(oldest);
    passed.add(uuid);
  };

  return async function forwardOnce(events: CompleteEvent[], send: Send): Promise<SendResult[]> {
    const own = new Map<string, CompleteEvent>();
    const results = new Set<Promise<SendResult>>();
    for (const event of events) {
      const { uuid } = event;
      if (passed.has(uuid) || own.has(uuid)) continue;
      const other = onTheirWay.get(uuid);
      if (other) results.add(other);
      else own.set(uuid, event);
    }
    if (own.size === 0) return Promise.all(results);
    const sent = send([...own.values()]);
    for (const uuid of own.keys()) onTheirWay.set(uuid, sent);
    try {
      for (const { uuid, verdict } of (await sent).outcomes) if (isFinal(verdict)) remember(uuid);
    } finally {
      for (const uuid of own.keys()) onTheirWay.delete(uuid);
    }
    return Promise.all([...results, sent]);
  };
}
