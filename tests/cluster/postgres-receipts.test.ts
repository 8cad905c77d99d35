import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgresReceipts } from '../../server/posthog/receipts/postgres-receipts.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { describeReceiptStore, makeReceipt } from '../helpers/server/receipt-store-contract.ts';
import { runCli } from '../helpers/server/run-cli.ts';

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

test('replays of several servers share their receipts', async () => {
  const posthog = await testCapture();
  const first = makeLedger(line(1), line(3));
  const second = makeLedger(line(2), line(3));
  const url = await postgres.createDatabase();
  const replay = (dataDir: string, database: string, ...args: string[]) =>
    runCli('clicks.ts', ['replay', '--key', 'phc_x', ...args], {
      DATABASE_URL: database,
      REGISTRATION_KEYS: `k1:${'A'.repeat(43)}=`,
      DATA_DIR: dataDir,
      POSTHOG_HOST: posthog.url,
    });
  await Promise.all([replay(first.dataDir, url), replay(second.dataDir, url)]);
  expect(posthog.merged()).toHaveLength(3);
  const { code, out } = await replay(first.dataDir, url, '--ledger', second.dataDir);
  expect(code).toBe(0);
  expect(out).toMatch(/sent +0\n/);
  expect(out).toMatch(/sent before +3 /);
  const failed = await replay(first.dataDir, `${url}_nowhere`);
  expect([failed.code, failed.err]).toEqual([1, expect.stringContaining('no such database')]);
});
