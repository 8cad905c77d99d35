import { randomUUID } from 'node:crypto';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { catchUp } from '../../server/clicks/catch-up.ts';
import { openPostgresStore } from '../../server/store/postgres/click-store.ts';
import { connectPatiently } from '../../server/store/postgres/connect.ts';
import { migratePostgres } from '../../server/store/postgres/migrate.ts';
import { dropPartitions, makePartitions } from '../../server/store/postgres/partitions.ts';
import { type Postgres, query, startPostgres } from '../helpers/postgres.ts';
import { makeDataDir } from '../helpers/server-app.ts';
import { startTcpProxy } from '../helpers/tcp-proxy.ts';
import {
  at,
  beginWith,
  countsOf,
  describeStore,
  idOf,
  rowOf,
} from '../server/store/store-contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const silent = { info: () => {}, warn: () => {} };

/** A server's store, for the time of a test. */
function open(url: string, ledger: string = randomUUID(), keepMonths = 0) {
  const store = openPostgresStore({ url: new URL(url), ledger, keepMonths, log: silent });
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

describeStore('PostgreSQL', async () => {
  const url = await postgres.createDatabase();
  const ledger = randomUUID();
  return { open: () => open(url, ledger) };
});

test('what one server has taken is not fresh at another, and each has its own place', async () => {
  const url = await postgres.createDatabase();
  const [a, b] = await Promise.all([beginWith(open(url)), beginWith(open(url))]);
  await a.commitGroup([rowOf(1)], at(10));
  expect(await b.commitGroup([rowOf(1), rowOf(2)], at(99))).toEqual([false, true]);
  expect(await a.position()).toEqual({ file: '17', offset: 10 });
  expect(await b.position()).toEqual({ file: '17', offset: 99 });
  expect((await countsOf(open(url))).total).toEqual({ hero_cta_click: 2 });
});

test('servers that bring the same ids at the same time, in any order, count each once', async () => {
  const url = await postgres.createDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => beginWith(open(url))));
  const taken = new Map<string, number>();
  for (let round = 0; round < 30; round += 1) {
    const ids = Array.from({ length: 40 }, (_, n) => round * 25 + n);
    await Promise.all(
      stores.map(async (store, i) => {
        const mine = i % 2 === 0 ? ids : ids.toReversed();
        const fresh = await store.commitGroup(
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
  expect((await countsOf(open(url))).total).toEqual({ hero_cta_click: taken.size });
});

test('an id that another server is about to take waits for it; when that fails, it is fresh', async () => {
  const url = await postgres.createDatabase();
  const [a, b] = await Promise.all([beginWith(open(url)), beginWith(open(url))]);
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

test('a commit whose answer is lost is in doubt; the place that is read afterwards tells', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const store = await beginWith(open(url.href));
  await store.commitGroup([rowOf(1)], at(10));

  proxy.cutAnswerTo('COMMIT');
  const cause = await store.commitGroup([rowOf(2)], at(20)).catch((error) => error);
  expect(store.mayHaveCommitted(cause)).toBe(true);
  expect(await store.position()).toEqual({ file: '17', offset: 20 });
  expect(await store.commitGroup([rowOf(2)], at(30))).toEqual([false]);

  proxy.cutAnswerTo('insert-ids');
  const early = await store.commitGroup([rowOf(3)], at(40)).catch((error) => error);
  expect(store.mayHaveCommitted(early)).toBe(false);
  expect(store.isAway(early)).toBe(true);
  expect(await store.position()).toEqual({ file: '17', offset: 30 });
  expect(await store.commitGroup([rowOf(3)], at(40))).toEqual([true]);
});

test('an index that was emptied behind a server’s back is noticed, not written on', async () => {
  const url = await postgres.createDatabase();
  const store = await beginWith(open(url));
  await store.commitGroup([rowOf(1)], at(10));
  await query(url, 'TRUNCATE clicks, clicks_per_day, ledger_positions');
  let written = false;
  const group = store.commitGroup([rowOf(2)], async () => {
    written = true;
    return at(20)();
  });
  await expect(group).rejects.toMatchObject({ code: 'index_moved' });
  expect(written).toBe(false);
  expect(await store.position()).toBeNull();
});

test('goes on by itself when the database comes back', async () => {
  const url = await postgres.createDatabase();
  const store = await beginWith(open(url));
  await store.commitGroup([rowOf(1)], at(10));
  expect((await countsOf(store)).total).toEqual({ hero_cta_click: 1 });
  await postgres.stop();
  const cause = await store.commitGroup([rowOf(2)], at(20)).catch((error) => error);
  expect(store.isAway(cause)).toBe(true);
  // What was known is still told.
  expect((await countsOf(store)).total).toEqual({ hero_cta_click: 1 });
  await postgres.restart();
  await expect.poll(() => store.position().catch(() => null)).toEqual({ file: '17', offset: 10 });
  expect(await store.commitGroup([rowOf(2)], at(20))).toEqual([true]);
});

test('three servers that start together on an empty database make its tables once', async () => {
  const url = await postgres.createDatabase();
  const stores = [1, 2, 3].map(() => open(url));
  expect(await Promise.all(stores.map((store) => store.position()))).toEqual([null, null, null]);
  expect(await query(url, 'SELECT * FROM schema_version')).toHaveLength(1);
  expect(await countsOf(open(url))).toEqual({ total: {}, perDay: {} });
});

test('a connection that a group never comes back from is given up', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const store = await beginWith(open(url.href));
  proxy.holdAnswers();
  const cause = await store.commitGroup([rowOf(1)], at(10)).catch((error) => error);
  expect(store.isAway(cause)).toBe(true);
  proxy.letAnswers();
  expect(await store.position()).toBeNull();
  expect(await store.commitGroup([rowOf(1)], at(10))).toEqual([true]);
});

describe('months', () => {
  const idAt = (time: string, n: number) => {
    const hex = Date.parse(time).toString(16).padStart(12, '0');
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
  };
  const clientOf = async (url: string) => {
    const client = await connectPatiently(new URL(url));
    onTestFinished(() => client.end());
    return client;
  };
  const sizes = async (url: string) => {
    const rows = await query(
      url,
      'SELECT tableoid::regclass::text AS name, count(*)::int AS n FROM clicks GROUP BY 1 ORDER BY 1',
    );
    return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
  };

  test('an id lies in the table of its own month, made ahead; ids of wrong clocks in the rest', async () => {
    const url = await postgres.createDatabase();
    const client = await clientOf(url);
    await migratePostgres(client);
    await makePartitions(client, new Date('2026-11-30T23:59:59Z'));
    const times = ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z'];
    const store = await beginWith(open(url));
    const ids = [...times, '2027-01-31T12:00:00Z', '2019-01-01T00:00:00Z', '2027-05-05T00:00:00Z'];
    await store.commitGroup(
      ids.map((time, n) => rowOf(n, { id: idAt(time, n) })),
      at(10),
    );
    expect(await sizes(url)).toMatchObject({
      clicks_2026_11: 2,
      clicks_2026_12: 1,
      clicks_2027_01: 1,
      clicks_default: 2,
    });

    // Months later, the table of May is made ahead, and takes over what came too early.
    await makePartitions(client, new Date('2027-03-01T00:00:00Z'));
    expect(await sizes(url)).toMatchObject({ clicks_2027_05: 1, clicks_default: 1 });
    expect(
      await store.commitGroup([rowOf(1, { id: idAt('2027-05-05T00:00:00Z', 5) })], at(20)),
    ).toEqual([false]);
  });

  test('old ones are dropped whole, their counts stay, and the ledger does not bring them back', async () => {
    const url = await postgres.createDatabase();
    const client = await clientOf(url);
    await migratePostgres(client);
    await makePartitions(client, new Date('2026-08-01T00:00:00Z'));
    const dataDir = makeDataDir();
    const ledger = join(dataDir, 'clicks.jsonl');
    const lines = ['2026-07-31T00:00:00Z', '2026-08-15T00:00:00Z', '2026-10-15T00:00:00Z'].map(
      (time, n) =>
        JSON.stringify({ id: idAt(time, n), event: 'hero_cta_click', received_at: time }),
    );
    writeFileSync(ledger, `${lines.join('\n')}\n`);
    const place = { file: String(statSync(ledger).ino), offset: statSync(ledger).size };
    const store = open(url);
    expect(await catchUp(store, ledger, place)).toMatchObject({ added: 3 });

    expect(await dropPartitions(client, new Date('2026-11-15T00:00:00Z'), 2)).toEqual([
      'clicks_2026_08',
    ]);
    expect(await dropPartitions(client, new Date('2026-11-15T00:00:00Z'), 2)).toEqual([]);
    // Another ledger id: everything is read once more.
    const again = open(url);
    expect(await catchUp(again, ledger, place)).toEqual({ added: 0, forgotten: 2, unreadable: 0 });
    expect((await countsOf(again)).total).toEqual({ hero_cta_click: 3 });
  });
});

describe('what an operator is told', () => {
  test.each([
    ['no such database', (url: URL) => (url.pathname = '/nowhere'), 'there is no such database'],
    [
      'no such user',
      (url: URL) => (url.username = 'nobody'),
      'it refuses this user. Check DATABASE_URL',
    ],
  ])('%s', async (_name, change, message) => {
    const url = new URL(await postgres.createDatabase());
    change(url);
    const cause = await open(url.href)
      .position()
      .catch((error) => error);
    expect(cause.message).toContain(`PostgreSQL (127.0.0.1:${postgres.port}/`);
    expect(cause.message).toContain(message);
  });

  test('a newer version’s database is left alone', async () => {
    const url = await postgres.createDatabase();
    await open(url).position();
    await query(url, 'UPDATE schema_version SET version = 99');
    await expect(open(url).position()).rejects.toThrow(/written by a newer version \(schema 99/);
  });

  test('a password is never repeated', async () => {
    const cause = await open('postgres://site:hunter2@127.0.0.1:1/site')
      .position()
      .catch((error) => error);
    expect(cause.message).toContain('127.0.0.1:1/site');
    expect(JSON.stringify(pino.stdSerializers.err(cause))).not.toContain('hunter2');
  });
});
