/**
 * Delivers each event once, because posthog-js repeats events when a visitor leaves and after a missing answer. A repetition
 * during the delivery gets the result of the first one. The receipts recognise repetitions to other servers; this memory is
 * the quick way.
 */
import type { CompleteEvent } from '../complete-event.ts';

/** Number of remembered ids. */
const REMEMBERED = 50_000;

/** Two generations: when the newer one is full, the older one is dropped whole, as in memory-counter.ts. */
function createMemory() {
  let young = new Set<string>();
  let old = young;
  return {
    has: (id: string) => young.has(id) || old.has(id),
    add(id: string) {
      if (young.size >= REMEMBERED / 2) {
        old = young;
        young = new Set();
      }
      young.add(id);
    },
  };
}

/** @returns a function that rejects with the error of `deliver` */
export function createForwarder() {
  const delivered = createMemory();
  const onTheirWay = new Map<string, Promise<void>>();

  return async function forwardOnce(
    events: CompleteEvent[],
    deliver: (events: CompleteEvent[]) => Promise<void>,
  ): Promise<void> {
    const own = new Map<string, CompleteEvent>();
    const others = new Set<Promise<void>>();
    for (const event of events) {
      const { uuid } = event;
      if (delivered.has(uuid) || own.has(uuid)) continue;
      const other = onTheirWay.get(uuid);
      if (other) others.add(other);
      else own.set(uuid, event);
    }
    const delivery = own.size > 0 ? deliver([...own.values()]) : Promise.resolve();
    for (const uuid of own.keys()) onTheirWay.set(uuid, delivery);
    try {
      await delivery;
      for (const uuid of own.keys()) delivered.add(uuid);
    } finally {
      for (const uuid of own.keys()) onTheirWay.delete(uuid);
    }
    await Promise.all(others);
  };
}
