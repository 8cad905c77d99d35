/**
 * Passes each event on once, because posthog-js repeats events when a visitor leaves and after a missing answer. An event
 * counts as passed on when PostHog has accepted it. A repetition before that gets the result of the first one.
 */
import type { CompleteEvent } from '../complete-event.ts';

/** Number of remembered ids. PostHog itself drops later repetitions. */
const REMEMBERED = 50_000;

export interface Envelope {
  api_key: string;
  batch: CompleteEvent[];
}
export type Send = (envelope: Envelope) => Promise<void>;

/** @returns a function that rejects with the error of `send` */
export function createForwarder() {
  const passed = new Set<string>();
  const onTheirWay = new Map<string, Promise<void>>();

  const remember = (uuid: string) => {
    const [oldest] = passed;
    if (passed.size >= REMEMBERED && oldest !== undefined) passed.delete(oldest);
    passed.add(uuid);
  };

  return async function forwardOnce(envelope: Envelope, send: Send): Promise<void> {
    const fresh: CompleteEvent[] = [];
    const others = new Set<Promise<void>>();
    const own = new Set<string>();
    for (const event of envelope.batch) {
      const { uuid } = event;
      if (passed.has(uuid) || own.has(uuid)) continue;
      const other = onTheirWay.get(uuid);
      if (other) {
        others.add(other);
        continue;
      }
      own.add(uuid);
      fresh.push(event);
    }
    const sent = fresh.length > 0 ? send({ ...envelope, batch: fresh }) : Promise.resolve();
    for (const uuid of own) onTheirWay.set(uuid, sent);
    try {
      await sent;
      for (const uuid of own) remember(uuid);
    } finally {
      for (const uuid of own) onTheirWay.delete(uuid);
    }
    await Promise.all(others);
  };
}
