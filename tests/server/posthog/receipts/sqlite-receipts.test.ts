import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteReceipts } from '../../../../server/posthog/receipts/sqlite-receipts.ts';
import {
  describeReceiptStore,
  makeReceipt,
} from '../../../helpers/server/receipt-store-contract.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

function openAt(path: string, onReplaced: (movedTo: string) => void = () => {}) {
  const store = openSqliteReceipts(path, { onReplaced });
  onTestFinished(() => store.close());
  return store;
}

describeReceiptStore('SQLite', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  return async () => openAt(path);
});

test('other users cannot read its files', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  await openAt(path).record([makeReceipt()]);
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

test('a damaged file is moved aside', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  writeFileSync(path, 'no database'.repeat(1000));
  const moved: string[] = [];
  const store = openAt(path, (movedTo) => moved.push(movedTo));
  await store.record([makeReceipt()]);
  expect(moved).toHaveLength(1);
  expect(readdirSync(dirname(path)).map((name) => join(dirname(path), name))).toContain(moved[0]);
});
