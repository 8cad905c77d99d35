/** Groups, bounds and faults of a group commit, by a clock of the test. */
import { beforeEach, expect, test, vi } from 'vitest';
import { DatabaseFault } from '../../../server/database/database.ts';
import { createGroupCommit } from '../../../server/database/group-commit.ts';

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }),
);

const BOUNDS = { maxGroup: 3, maxWaiting: 4, maxWaitMs: 1_000 };
const AWAY = new DatabaseFault('terminating connection', '57P01');
const NULL_VALUE = new DatabaseFault('null value', '23502');
const FULL = 'Too many requests wait for the database';
const LATE = 'The database has not answered in time';

/** Makes a queue whose commits wait for the test. The result of an item is `n stored`. */
function open(bounds: Partial<typeof BOUNDS> = {}) {
  const groups: number[][] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const queue = createGroupCommit({
    ...BOUNDS,
    ...bounds,
    async commit(items: number[]) {
      groups.push(items);
      const end = Promise.withResolvers<void>();
      ends.push(end);
      await end.promise;
      return items.map((item) => `${item} stored`);
    },
  });
  const add = (...items: number[]) => items.map(queue.add);
  return {
    groups,
    queue,
    /** Adds items in one turn of the event loop, and waits until it has ended. */
    async arrive(...items: number[]) {
      const results = outcomesOf(add(...items));
      await turn();
      return results;
    },
    /** Ends the commit under way. */
    async end(fault?: DatabaseFault) {
      const { resolve, reject } = ends.shift() as PromiseWithResolvers<void>;
      if (fault) reject(fault);
      else resolve();
      await turn();
    },
  };
}

const turn = () => new Promise(setImmediate);

/** The list is filled in the order of the items as soon as they are settled. */
function outcomesOf(results: Promise<string>[]): string[] {
  const outcomes = results.map(() => 'waiting');
  for (const [i, result] of results.entries())
    result
      .catch(({ message }: Error) => message)
      .then((outcome) => {
        outcomes[i] = outcome;
      });
  return outcomes;
}

test('items of one turn share a transaction, and those that come meanwhile share the next one', async () => {
  const { groups, arrive, end } = open();
  const first = await arrive(1, 2);
  const second = await arrive(3);
  const third = await arrive(4, 5);
  expect(groups).toEqual([[1, 2]]);
  await end();
  expect(groups).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  expect([first, second]).toEqual([['1 stored', '2 stored'], ['waiting']]);
  await end();
  expect([second, third]).toEqual([['3 stored'], ['4 stored', '5 stored']]);
});

test('a group has at most its bound, and the rest is the next one', async () => {
  const { groups, arrive, end } = open({ maxGroup: 2 });
  const outcomes = await arrive(1, 2, 3);
  await end();
  await end();
  expect(groups).toEqual([[1, 2], [3]]);
  expect(outcomes).toEqual(['1 stored', '2 stored', '3 stored']);
});

test.each([
  { name: 'as many as the bound wait', waiting: [2, 3, 4, 5], rejected: [] },
  { name: 'one more than the bound is rejected', waiting: [2, 3, 4, 5, 6], rejected: [FULL] },
])('behind a transaction, $name', async ({ waiting, rejected }) => {
  const { arrive, end } = open();
  await arrive(1);
  const outcomes = await arrive(...waiting);
  expect(outcomes.filter((text) => text !== 'waiting')).toEqual(rejected);
  await end();
  await end();
  await end();
  expect(outcomes.slice(0, 4)).toEqual(['2 stored', '3 stored', '4 stored', '5 stored']);
});

test.each([
  { name: 'at its bound goes on waiting', ms: 1_000, outcome: 'waiting' },
  { name: 'above its bound is rejected', ms: 1_200, outcome: LATE },
])('an item $name, in a transaction or behind it', async ({ ms, outcome }) => {
  const { arrive } = open();
  const [inTransaction, behind] = [await arrive(1), await arrive(2)];
  vi.advanceTimersByTime(ms);
  await turn();
  expect([inTransaction, behind]).toEqual([[outcome], [outcome]]);
});

test('after a fault its group and all that wait are rejected at once, and a later item is stored', async () => {
  const { groups, arrive, end } = open();
  const [group, waiting] = [await arrive(1, 2), await arrive(3)];
  await end(AWAY);
  expect([group, waiting]).toEqual([[AWAY.message, AWAY.message], [AWAY.message]]);
  const later = await arrive(4);
  await end();
  expect(later).toEqual(['4 stored']);
  expect(groups).toEqual([[1, 2], [4]]);
});

test('after a data error the items are stored one by one, and only the one at fault is rejected', async () => {
  const { groups, arrive, end } = open();
  const [group, waiting] = [await arrive(1, 2, 3), await arrive(4)];
  await end(NULL_VALUE);
  await end();
  await end(NULL_VALUE);
  await end();
  await end();
  expect(groups).toEqual([[1, 2, 3], [1], [2], [3], [4]]);
  expect(group).toEqual(['1 stored', NULL_VALUE.message, '3 stored']);
  expect(waiting).toEqual(['4 stored']);
});

test('a fault while items are stored one by one ends the attempt: the rest is rejected', async () => {
  const { groups, arrive, end } = open();
  const [group, waiting] = [await arrive(1, 2, 3), await arrive(4)];
  await end(NULL_VALUE);
  await end();
  await end(AWAY);
  expect(groups).toEqual([[1, 2, 3], [1], [2]]);
  expect(group).toEqual(['1 stored', AWAY.message, AWAY.message]);
  expect(waiting).toEqual([AWAY.message]);
});

test('its end waits for the items that have arrived, and ends its timer', async () => {
  const others = vi.getTimerCount();
  const { queue, arrive, end } = open({ maxGroup: 1 });
  const outcomes = await arrive(1, 2);
  let isClosed = false;
  const closed = queue.close().then(() => {
    isClosed = true;
  });
  await end();
  expect(isClosed).toBe(false);
  await end();
  await closed;
  expect(outcomes).toEqual(['1 stored', '2 stored']);
  expect(vi.getTimerCount()).toBe(others);
});
