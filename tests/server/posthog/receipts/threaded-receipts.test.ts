import { readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { openThreadedReceipts } from '../../../../server/posthog/receipts/threaded-receipts.ts';
import { postClick } from '../../../helpers/server/post-click.ts';
import {
  describeReceiptStore,
  makeReceipt,
} from '../../../helpers/server/receipt-store-contract.ts';
import { makeBody, makeDataDir, startApp } from '../../../helpers/server/server-app.ts';

async function openAt(path: string, onReplaced: (movedTo: string) => void = () => {}) {
  const store = await openThreadedReceipts(path, onReplaced);
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

describeReceiptStore('SQLite in a thread', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  return () => openAt(path);
});

test('a click is answered while a receipt waits for the disk', async () => {
  const site = await startApp();
  const other = new DatabaseSync(site.config.files.receipts);
  onTestFinished(() => other.close());
  // A writer that holds the lock is to SQLite what a busy disk is: its thread waits.
  other.exec('BEGIN IMMEDIATE');
  const order: string[] = [];
  const receipt = makeReceipt();
  const recorded = site.posthog?.receipts.record([receipt]).then(() => order.push('receipt'));
  const click = await postClick(site, makeBody());
  expect(click.statusCode).toBe(200);
  order.push('click');
  other.exec('ROLLBACK');
  await recorded;
  expect(order).toEqual(['click', 'receipt']);
  expect(await site.posthog?.receipts.find([receipt.uuid])).toEqual(
    new Map([[receipt.uuid, receipt]]),
  );
});

test('a damaged file is moved aside, and the caller hears of it', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  writeFileSync(path, 'no database'.repeat(1000));
  const moved: string[] = [];
  const store = await openAt(path, (movedTo) => moved.push(movedTo));
  await store.record([makeReceipt()]);
  expect(moved).toHaveLength(1);
  expect(readdirSync(dirname(path))).toContain(basename(moved[0] ?? ''));
});

test('a file from a newer version is refused, with its own message', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  const newer = new DatabaseSync(path);
  newer.exec('PRAGMA user_version = 999');
  newer.close();
  await expect(openAt(path)).rejects.toThrow(/was written by a newer version \(schema 999/);
});

test('an error of SQLite keeps its code', async () => {
  const path = join(makeDataDir(), 'posthog.sqlite');
  const store = await openAt(path);
  const other = new DatabaseSync(path);
  other.exec('DROP TABLE claims');
  other.close();
  const call = store.claim([makeReceipt().uuid], { owner: 'one', forMs: 1 });
  await expect(call).rejects.toMatchObject({
    errcode: 1,
    message: expect.stringContaining('claims'),
  });
});

test('after close every call is rejected', async () => {
  const store = await openAt(join(makeDataDir(), 'posthog.sqlite'));
  await store.close();
  await expect(store.waitingSize()).rejects.toThrow('The receipts are closed.');
});
