/**
 * Passes each event on once: posthog-js repeats an event when a page is left, and whatever was not answered. An event
 * counts as passed on when PostHog took it; a repeat that arrives before that shares the first one's fate.
 */
import type { Decoded, PosthogEvent } from './decode-events.ts';

/** Ids remembered; PostHog drops repeats that come later than that by itself, in its own time. */
const REMEMBERED = 50_000;

export type Send = (message: unknown) => Promise<void>;

/** @returns a function that rejects with what `send` rejected with */
export function createForwarder() {
  const passed = new Set<string>();
  const onTheirWay = new Map<string, Promise<void>>();

  const remember = (uuid: string) => {
    const [oldest] = passed;
    if (passed.size >= REMEMBERED && oldest !== undefined) passed.delete(oldest);
    passed.add(uuid);
  };

  return async function forwardOnce({ events, wrap }: Decoded, send: Send): Promise<void> {
    const fresh: PosthogEvent[] = [];
    const others = new Set<Promise<void>>();
    const own = new Set<string>();
    for (const event of events) {
      const { uuid } = event;
      if (typeof uuid !== 'string') {
        fresh.push(event);
        continue;
      }
      if (passed.has(uuid) || own.has(uuid)) continue;
      const other = onTheirWay.get(uuid);
      if (other) {
        others.add(other);
        continue;
      }
      own.add(uuid);
      fresh.push(event);
    }
    const sent = fresh.length > 0 ? send(wrap(fresh)) : Promise.resolve();
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
