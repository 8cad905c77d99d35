/**
 * Group commit: items that arrive while a transaction runs share the next one, and its wait for the
 * disk. A group needs no timer: it is what has arrived by the end of a turn of the event loop.
 */
import { isDataError } from './database.ts';

interface Options<Item, Result> {
  /** Stores a group in one transaction. Returns a result for each item, in their order. */
  commit(items: Item[]): Promise<Result[]>;
  /** Upper bound of a group, so that a transaction is short. */
  maxGroup: number;
  /** Upper bound of the items that wait for their transaction, in memory. */
  maxWaiting: number;
  /** An item that has waited for longer is rejected. Milliseconds. */
  maxWaitMs: number;
}

interface Waiting<Item, Result> extends PromiseWithResolvers<Result> {
  item: Item;
  since: number;
}

const WAIT_CHECK_MS = 200;

export function createGroupCommit<Item, Result>(options: Options<Item, Result>) {
  const { commit, maxGroup, maxWaiting, maxWaitMs } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let committing: Waiting<Item, Result>[] = [];
  let running: Promise<void> | null = null;

  /** @throws (rejects with) the fault after which no item can be stored for now */
  const store = async (group: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await commit(group.map(({ item }) => item));
      for (const [i, { resolve }] of group.entries()) resolve(results[i] as Result);
    } catch (cause) {
      if (!isDataError(cause)) throw cause;
      if (group.length === 1) group[0]?.reject(cause);
      // Each item gets a transaction of its own, so that only the item at fault is rejected.
      else for (const one of group) await store([one]);
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
     * Resolves when the item's transaction is committed.
     *
     * @throws (rejects with) the error of `commit`, or an Error if too many items wait, or if the
     * item has waited for too long. The item may be stored then: add it again
     */
    add(item: Item): Promise<Result> {
      if (waiting.length >= maxWaiting)
        return Promise.reject(new Error('Too many requests wait for the database'));
      const one = { item, since: performance.now(), ...Promise.withResolvers<Result>() };
      waiting.push(one);
      running ??= run();
      return one.promise;
    },
    /** Waits for the items that have arrived. */
    async close(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}
