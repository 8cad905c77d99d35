/**
 * Delivers each event once, because posthog-js repeats events when a visitor leaves and after a missing answer. A repetition
 * during the delivery gets the result of the first one. The receipts recognise repetitions to other servers; this memory is
 * the quick way.
 */
import type { CompleteEvent } from '../complete-event.ts';

/** Number of remembered ids. */
const REMEMBERED = 50_000;

/** @returns a function that rejects with the error of `deliver` */
export function createForwarder() {
  const delivered = new Set<string>();
  const onTheirWay = new Map<string, Promise<void>>();

  const remember = (uuid: string) => {
    const [oldest] = delivered;
    if (delivered.size >= REMEMBERED && oldest !== undefined) delivered.delete(oldest);
    delivered.add(uuid);
  };

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
      for (const uuid of own.keys()) remember(uuid);
    } finally {
      for (const uuid of own.keys()) onTheirWay.delete(uuid);
    }
    await Promise.all(others);
  };
}
