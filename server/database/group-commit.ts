/**
 * Group commit: items that arrive while a transaction runs are stored together in the next one, and
 * wait for the disk only once. No timer delays a group: it has what arrives in one turn of the
 * event loop.
 */
import { isDataError } from './database.ts';

interface Options<Item, Result> {
  /**
   * Stores a group of items in one transaction. Returns the result of each item, in their order.
   */
  commit(items: Item[]): Promise<Result[]>;
  /** Upper bound for the items of a group, so that transactions stay short. */
  maxGroup: number;
  /** Upper bound for the items that wait in memory. */
  maxWaiting: number;
  /** Timeout: an item that has waited for longer is rejected. Milliseconds. */
  maxWaitMs: number;
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item;
  since: number;
}

/** How often the waiting items are checked for the timeout. */
const WAIT_CHECK_MS = 200;

/** Creates the queue of a route that stores something with each request. */
export function createGroupCommit<Item, Result>(options: Options<Item, Result>) {
  const { commit, maxGroup, maxWaiting, maxWaitMs } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let committing: Waiting<Item, Result>[] = [];
  let running: Promise<void> | null = null;

  /**
   * Stores a group. If the database rejects a value, only the item with that value is rejected.
   *
   * @throws (rejects with) any other fault, after which no item can be stored for now
   */
  const store = async (group: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await commit(group.map(({ item }) => item));
      for (const [i, { resolve }] of group.entries()) resolve(results[i] as Result);
    } catch (cause) {
      if (!isDataError(cause)) throw cause;
      if (group.length === 1) group[0]?.reject(cause);
      // Retries each item in a transaction of its own, so that only the faulty item is rejected.
      else for (const entry of group) await store([entry]);
    }
  };
  const rejectAll = (cause: unknown) => {
    for (const { reject } of [...committing, ...waiting.splice(0)]) reject(cause);
  };
  const run = async () => {
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      committing = waiting.splice(0, maxGroup);
      await store(committing).catch(rejectAll);
    }
    committing = [];
    running = null;
  };
  const rejectLate = () => {
    const oldest = performance.now() - maxWaitMs;
    for (const { since, reject } of [...committing, ...waiting])
      if (since < oldest) reject(new Error('The database has not answered in time'));
  };
  const timer = setInterval(rejectLate, WAIT_CHECK_MS).unref();

  return {
    /**
     * Queues an item. Resolves with its result when its transaction is committed.
     *
     * @throws (rejects with) the error of `commit`, or an Error if too many items wait or the item
     * has waited too long. The item may still be stored then, so it must be safe to add it again
     */
    add(item: Item): Promise<Result> {
      if (waiting.length >= maxWaiting)
        return Promise.reject(new Error('Too many requests wait for the database'));
      const one = { item, since: performance.now(), ...Promise.withResolvers<Result>() };
      waiting.push(one);
      running ??= run();
      return one.promise;
    },
    /** Resolves when all queued items are stored or rejected. */
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
