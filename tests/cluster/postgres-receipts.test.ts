import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresReceipts } from '../../server/posthog/receipts/postgres-receipts.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { describeReceiptStore, makeReceipt } from '../helpers/server/receipt-store-contract.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

function open(url: string) {
  const store = openPostgresReceipts(new URL(url));
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

describeReceiptStore('PostgreSQL', async () => {
  const url = await postgres.createDatabase();
  return async () => open(url);
});

test('a receipt survives a crash of the database', async () => {
  const store = open(await postgres.createDatabase());
  const receipt = makeReceipt();
  await store.record([receipt]);
  await postgres.kill();
  // Its child processes outlive a kill for a moment.
  const add = () => store.record([makeReceipt()]).then(() => 'added', String);
  await expect.poll(add).toMatch(/^Error: PostgreSQL \(127\.0\.0\.1:/);
  await postgres.restart();
  await expect.poll(() => store.find([receipt.uuid]).then(({ size }) => size)).toBe(1);
});
