import type { Database } from '../../database/database.ts';
import type { Visit } from '../../visits/visits.ts';
import type { CompleteEvent } from '../complete-event.ts';
import { storeEvents } from '../outbox.ts';

export type Store = (events: readonly CompleteEvent[], visits: readonly Visit[]) => Promise<void>;

/**
 * Group commit: requests that come during one transaction share the next one. So a click waits for one transaction of events at
 * most.
 *
 * @returns a function that rejects with the database's error
 */
export function storeTogether(db: Database): Store {
  let last: Promise<unknown> = Promise.resolve();
  let group: { events: CompleteEvent[]; visits: Visit[]; stored: Promise<void> } | null = null;
  const commit = async () => {
    const { events = [], visits = [] } = group ?? {};
    group = null;
    await db.transaction(storeEvents, events, visits, Date.now());
  };
  return (events, visits) => {
    if (!group) {
      group = { events: [], visits: [], stored: last.then(commit) };
      last = group.stored.catch(() => {});
    }
    group.events.push(...events);
    group.visits.push(...visits);
    return group.stored;
  };
}
