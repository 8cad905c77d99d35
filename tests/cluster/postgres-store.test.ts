/** Several servers with one click index. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import { openIndex } from '../helpers/cluster/postgres-index.ts';
import {
  at,
  beginWith,
  countsOf,
  describeClickIndex,
  idOf,
  placeAt,
  rowOf,
} from '../server/clicks/index/click-index-contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

describeClickIndex('PostgreSQL', async () => {
  const url = await postgres.createDatabase();
  const ledger = randomUUID();
  return { open: () => openIndex(url, ledger) };
});

test('an id that one server has taken is not fresh at another, and each has its own position', async () => {
  const url = await postgres.createDatabase();
  const [a, b] = await Promise.all([beginWith(openIndex(url)), beginWith(openIndex(url))]);
  await a.commitGroup([rowOf(1)], at(10));
  expect(await b.commitGroup([rowOf(1), rowOf(2)], at(99))).toEqual([false, true]);
  expect(await a.position()).toEqual(placeAt(10));
  expect(await b.position()).toEqual(placeAt(99));
  expect((await countsOf(openIndex(url))).total).toEqual({ hero_cta_click: 2 });
});

test('servers with the same ids at the same time, in any order, count each once', async () => {
  const url = await postgres.createDatabase();
  const indexes = await Promise.all([1, 2, 3].map(() => beginWith(openIndex(url))));
  const taken = new Map<string, number>();
  for (let round = 0; round < 30; round += 1) {
    const ids = Array.from({ length: 40 }, (_, n) => round * 25 + n);
    await Promise.all(
      indexes.map(async (clickIndex, i) => {
        const mine = i % 2 === 0 ? ids : ids.toReversed();
        const fresh = await clickIndex.commitGroup(
          mine.map((n) => rowOf(n)),
          at(round),
        );
        for (const [j, n] of mine.entries())
          if (fresh[j]) taken.set(idOf(n), (taken.get(idOf(n)) ?? 0) + 1);
      }),
    );
  }
  expect([...taken.values()].filter((times) => times !== 1)).toEqual([]);
  expect(taken.size).toBe(29 * 25 + 40);
  expect((await countsOf(openIndex(url))).total).toEqual({ hero_cta_click: taken.size });
});

test('an id that another server is about to commit waits for it, and is fresh if that commit fails', async () => {
  const url = await postgres.createDatabase();
  const [a, b] = await Promise.all([beginWith(openIndex(url)), beginWith(openIndex(url))]);
  const [begun, letFail] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const first = a.commitGroup([rowOf(1)], () => {
    begun.resolve();
    return letFail.promise;
  });
  await begun.promise;
  const second = b.commitGroup([rowOf(1)], at(10));
  letFail.reject(new Error('the disk is full'));
  await expect(first).rejects.toThrow('the disk is full');
  expect(await second).toEqual([true]);
});

test('three servers that start together on an empty database create its tables once', async () => {
  const url = await postgres.createDatabase();
  const indexes = [1, 2, 3].map(() => openIndex(url));
  expect(await Promise.all(indexes.map((clickIndex) => clickIndex.position()))).toEqual([
    null,
    null,
    null,
  ]);
  expect(await query(url, 'SELECT * FROM schema_version')).toHaveLength(1);
  expect(await countsOf(openIndex(url))).toEqual({ total: {}, perDay: {} });
});
