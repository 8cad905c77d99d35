/** One table of click ids per month, made ahead and dropped when it is old. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { catchUp } from '../../server/clicks/catch-up.ts';
import { dropPartitions, makePartitions } from '../../server/clicks/index/postgres/partitions.ts';
import { connectPatiently } from '../../server/database/connect-postgres.ts';
import { migratePostgres } from '../../server/database/migrate-postgres.ts';
import { type Postgres, query, startPostgres } from '../helpers/cluster/postgres.ts';
import { openIndex } from '../helpers/cluster/postgres-index.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { at, beginWith, countsOf, rowOf } from '../server/clicks/index/click-index-contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

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

test('an id goes to its month’s table, which is made ahead; ids of wrong clocks go to the default table', async () => {
  const url = await postgres.createDatabase();
  const client = await clientOf(url);
  await migratePostgres(client);
  await makePartitions(client, new Date('2026-11-30T23:59:59Z'));
  const times = ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z'];
  const clickIndex = await beginWith(openIndex(url));
  const ids = [...times, '2027-01-31T12:00:00Z', '2019-01-01T00:00:00Z', '2027-05-05T00:00:00Z'];
  await clickIndex.commitGroup(
    ids.map((time, n) => rowOf(n, { id: idAt(time, n) })),
    at(10),
  );
  expect(await sizes(url)).toMatchObject({
    clicks_2026_11: 2,
    clicks_2026_12: 1,
    clicks_2027_01: 1,
    clicks_default: 2,
  });

  // Months later, the server makes the table of May and moves the early ids there.
  await makePartitions(client, new Date('2027-03-01T00:00:00Z'));
  expect(await sizes(url)).toMatchObject({ clicks_2027_05: 1, clicks_default: 1 });
  expect(
    await clickIndex.commitGroup([rowOf(1, { id: idAt('2027-05-05T00:00:00Z', 5) })], at(20)),
  ).toEqual([false]);
});

test('old months are dropped whole, their counts stay, and reading the ledger does not restore them', async () => {
  const url = await postgres.createDatabase();
  const client = await clientOf(url);
  await migratePostgres(client);
  await makePartitions(client, new Date('2026-08-01T00:00:00Z'));
  const dataDir = makeDataDir();
  const ledger = join(dataDir, 'clicks.jsonl');
  const lines = ['2026-07-31T00:00:00Z', '2026-08-15T00:00:00Z', '2026-10-15T00:00:00Z'].map(
    (time, n) => JSON.stringify({ id: idAt(time, n), event: 'hero_cta_click', received_at: time }),
  );
  writeFileSync(ledger, `${lines.join('\n')}\n`);
  const { ino, size } = statSync(ledger);
  const place = { file: String(ino), offset: size, first: idAt('2026-07-31T00:00:00Z', 0) };
  const clickIndex = openIndex(url);
  expect(await catchUp(clickIndex, ledger, place)).toMatchObject({ added: 3 });

  expect(await dropPartitions(client, new Date('2026-11-15T00:00:00Z'), 2)).toEqual([
    'clicks_2026_08',
  ]);
  expect(await dropPartitions(client, new Date('2026-11-15T00:00:00Z'), 2)).toEqual([]);
  // With another ledger id, everything is read again.
  const again = openIndex(url);
  expect(await catchUp(again, ledger, place)).toEqual({ added: 0, forgotten: 2, unreadable: 0 });
  expect((await countsOf(again)).total).toEqual({ hero_cta_click: 3 });
});
