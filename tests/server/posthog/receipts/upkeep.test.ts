import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSqliteReceipts } from '../../../../server/posthog/receipts/sqlite-receipts.ts';
import { startUpkeep } from '../../../../server/posthog/receipts/upkeep.ts';
import { browserEvent } from '../../../helpers/fakes/browser-event.ts';
import { makeReceipt } from '../../../helpers/server/receipt-store-contract.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

function startWith(trustedNow: () => Promise<number | null>) {
  const store = openSqliteReceipts(join(makeDataDir(), 'posthog.sqlite'));
  const warnings: string[] = [];
  const upkeep = startUpkeep({
    ...{ store, trustedNow, retentionMs: 90 * DAY_MS, everyMs: 5 },
    state: { reportStore: (cause) => expect(cause).toBeNull() },
    log: { warn: (message: string) => void warnings.push(message) },
  });
  onTestFinished(async () => {
    await upkeep.stop();
    await store.close();
  });
  return { store, warnings };
}

const waiting = () => {
  const { uuid, event, timestamp, properties } = browserEvent();
  const complete = { uuid, event, timestamp, distinct_id: 'v-1', properties };
  return { channel: 'browser' as const, event: complete, attempts: 0 };
};

test('old receipts are deleted, those of the ledger’s clicks last, and events that wait too long are given up', async () => {
  let now = Date.now();
  const { store, warnings } = startWith(async () => now);
  const at = new Date(now).toISOString();
  const [click, other] = [makeReceipt({ channel: 'ledger', at }), makeReceipt({ at })];
  await store.record([click, other]);
  await store.keep([waiting()], new Date(now));
  const known = async () => [...(await store.find([click.uuid, other.uuid])).keys()];
  now += 8 * DAY_MS;
  await expect.poll(known).toEqual([click.uuid]);
  await expect.poll(async () => (await store.waitingSize()).events).toBe(0);
  expect(warnings).toEqual(['1 events waited for PostHog for seven days and were given up']);
  now += 90 * DAY_MS;
  await expect.poll(known).toEqual([]);
});

test('nothing is deleted by age while the clock cannot be trusted', async () => {
  let asked = 0;
  const { store } = startWith(async () => {
    asked += 1;
    return null;
  });
  const receipt = makeReceipt({ at: new Date(0).toISOString() });
  await store.record([receipt]);
  await expect.poll(() => asked).toBeGreaterThan(3);
  expect((await store.find([receipt.uuid])).size).toBe(1);
});
