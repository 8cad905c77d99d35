/** The click index when PostgreSQL ends, is silent, or has lost data. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import { openIndex } from '../helpers/cluster/postgres-index.ts';
import { startTcpProxy } from '../helpers/fakes/tcp-proxy.ts';
import {
  at,
  beginWith,
  countsOf,
  placeAt,
  rowOf,
} from '../server/clicks/index/click-index-contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

test('a commit whose answer is lost is in doubt; the position read afterwards shows its result', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const clickIndex = await beginWith(openIndex(url.href));
  await clickIndex.commitGroup([rowOf(1)], at(10));

  proxy.cutAnswerTo('COMMIT');
  const cause = await clickIndex.commitGroup([rowOf(2)], at(20)).catch((error) => error);
  expect(clickIndex.mayHaveCommitted(cause)).toBe(true);
  expect(await clickIndex.position()).toEqual(placeAt(20));
  expect(await clickIndex.commitGroup([rowOf(2)], at(30))).toEqual([false]);

  proxy.cutAnswerTo('insert-ids');
  const early = await clickIndex.commitGroup([rowOf(3)], at(40)).catch((error) => error);
  expect(clickIndex.mayHaveCommitted(early)).toBe(false);
  expect(clickIndex.isAway(early)).toBe(true);
  expect(await clickIndex.position()).toEqual(placeAt(30));
  expect(await clickIndex.commitGroup([rowOf(3)], at(40))).toEqual([true]);
});

test('notices an index that another program emptied, instead of continuing it', async () => {
  const url = await postgres.createDatabase();
  const clickIndex = await beginWith(openIndex(url));
  await clickIndex.commitGroup([rowOf(1)], at(10));
  await query(url, 'TRUNCATE clicks, clicks_per_day, ledger_positions');
  let written = false;
  const group = clickIndex.commitGroup([rowOf(2)], async () => {
    written = true;
    return at(20)();
  });
  await expect(group).rejects.toMatchObject({ code: 'index_moved' });
  expect(written).toBe(false);
  expect(await clickIndex.position()).toBeNull();
});

test('recovers by itself when the database runs again', async () => {
  const url = await postgres.createDatabase();
  const clickIndex = await beginWith(openIndex(url));
  await clickIndex.commitGroup([rowOf(1)], at(10));
  expect((await countsOf(clickIndex)).total).toEqual({ hero_cta_click: 1 });
  await postgres.stop();
  const cause = await clickIndex.commitGroup([rowOf(2)], at(20)).catch((error) => error);
  expect(clickIndex.isAway(cause)).toBe(true);
  // The last known counts are still available.
  expect((await countsOf(clickIndex)).total).toEqual({ hero_cta_click: 1 });
  await postgres.restart();
  await expect.poll(() => clickIndex.position().catch(() => null)).toEqual(placeAt(10));
  expect(await clickIndex.commitGroup([rowOf(2)], at(20))).toEqual([true]);
});

test('gives up a connection on which a group gets no answer', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const clickIndex = await beginWith(openIndex(url.href));
  proxy.holdAnswers();
  const cause = await clickIndex.commitGroup([rowOf(1)], at(10)).catch((error) => error);
  expect(clickIndex.isAway(cause)).toBe(true);
  proxy.letAnswers();
  expect(await clickIndex.position()).toBeNull();
  expect(await clickIndex.commitGroup([rowOf(1)], at(10))).toEqual([true]);
});
