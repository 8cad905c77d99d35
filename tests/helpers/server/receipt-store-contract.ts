/** The contract of every database for receipts. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ReceiptStore } from '../../../server/posthog/receipts/receipt-store.ts';
import type { Receipt } from '../../../server/posthog/receipts.ts';

/** Opens an empty database for a test. Each call of the returned function connects one more server. */
export type MakeStore = () => Promise<() => Promise<ReceiptStore>>;

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const LONG_MS = 600_000;
const BY = { owner: 'one', forMs: LONG_MS };

export function makeReceipt(parts: Partial<Receipt> = {}): Receipt {
  return {
    uuid: randomUUID(),
    event: 'cta_click',
    channel: 'browser',
    protocol: 'v1',
    verdict: 'ok',
    detail: null,
    attempts: 1,
    at: NOW.toISOString(),
    ...parts,
  };
}

const makeWaiting = (value = '') => ({
  channel: 'browser' as const,
  event: {
    uuid: randomUUID(),
    event: '$pageview',
    distinct_id: 'v-1',
    timestamp: NOW.toISOString(),
    properties: { referrer: value },
  },
  attempts: 0,
});

export function describeReceiptStore(name: string, make: MakeStore): void {
  const open = async () => (await make())();

  describe(`${name} keeps receipts`, () => {
    test('unchanged, for every server', async () => {
      const connect = await make();
      const store = await connect();
      const receipts = [makeReceipt({ detail: 'person_processing_disabled' }), makeReceipt()];
      await store.record(receipts);
      const other = await connect();
      const uuids = receipts.map(({ uuid }) => uuid);
      expect([...(await other.find([...uuids, randomUUID()])).values()]).toEqual(
        expect.arrayContaining(receipts),
      );
      expect((await other.find(uuids)).size).toBe(2);
    });

    test('with the first channel, all attempts, and no retry over a final verdict', async () => {
      const store = await open();
      const first = makeReceipt({ verdict: 'retry', detail: 'not_persisted' });
      const { uuid } = first;
      await store.record([first]);
      const final = {
        ...first,
        channel: 'ledger' as const,
        detail: null,
        at: later(1).toISOString(),
      };
      await store.record([{ ...final, protocol: 'batch', verdict: 'accepted', attempts: 2 }]);
      await store.record([{ ...first, uuid: uuid.toUpperCase(), detail: 'timeout' }]);
      const accepted = {
        ...{ ...final, uuid, channel: 'browser', protocol: 'batch', verdict: 'accepted' },
        attempts: 4,
      };
      expect((await store.find([uuid])).get(uuid)).toEqual(accepted);
      await store.record([{ ...final, verdict: 'ok' }]);
      await store.record([{ ...final, verdict: 'drop', detail: 'event_too_big' }]);
      expect((await store.find([uuid])).get(uuid)).toEqual({
        ...accepted,
        protocol: 'v1',
        verdict: 'ok',
        attempts: 6,
      });
    });

    test('of an event that comes twice in one call once', async () => {
      const store = await open();
      const receipt = makeReceipt();
      const failed = { ...receipt, verdict: 'retry' as const, detail: 'timeout' };
      await store.record([failed, receipt, { ...failed, uuid: receipt.uuid.toUpperCase() }]);
      const { uuid } = receipt;
      expect((await store.find([uuid])).get(uuid)).toEqual({ ...receipt, attempts: 3 });
      await store.record([]);
    });

    test('the clicks’ for longer than the others, and of the others no more than a number', async () => {
      const store = await open();
      const clicks = [0, 1].map((i) =>
        makeReceipt({ channel: 'ledger', at: later(i).toISOString() }),
      );
      const [old, ...others] = [0, 1, 2, 3].map((i) => makeReceipt({ at: later(i).toISOString() }));
      await store.record([...clicks, ...(old ? [old] : []), ...others]);
      // A click that the browser sent first.
      await store.markInLedger([old?.uuid ?? '']);
      const all = [...clicks, ...(old ? [old] : []), ...others].map(({ uuid }) => uuid);
      const rules = { before: later(-1), othersBefore: later(2), maxOthers: 1, limit: 1 };
      let calls = 0;
      while ((await store.forget(rules)) > 0) calls += 1;
      const kept = await store.find(all);
      expect([...kept.keys()].sort()).toEqual(
        [...clicks.map(({ uuid }) => uuid), old?.uuid, others[2]?.uuid].sort(),
      );
      expect(calls).toBeGreaterThan(0);
      await store.forget({ ...rules, before: later(1), limit: 10 });
      expect((await store.find(all)).size).toBe(2);
    });
  });

  describe(`${name} lets one sender have an event`, () => {
    test('at a time, until it has a receipt or gives it up', async () => {
      const connect = await make();
      const [one, two] = [await connect(), await connect()];
      const [a, b] = [randomUUID(), randomUUID()];
      expect(await one.claim([a, b], BY)).toEqual(new Set([a, b]));
      expect(await two.claim([a, b], BY)).toEqual(new Set());
      await one.release([a]);
      expect(await two.claim([a, b], BY)).toEqual(new Set([a]));
      await two.record([makeReceipt({ uuid: a, verdict: 'retry' })]);
      expect(await one.claim([a], BY)).toEqual(new Set([a]));
    });

    test('also when several ask at the same moment', async () => {
      const connect = await make();
      const stores = [await connect(), await connect(), await connect()];
      const uuids = Array.from({ length: 50 }, () => randomUUID());
      const granted = await Promise.all(stores.map((store) => store.claim(uuids, BY)));
      expect(granted.reduce((sum, { size }) => sum + size, 0)).toBe(50);
    });

    test('again when its sender has died', async () => {
      const store = await open();
      const uuid = randomUUID();
      await store.claim([uuid], { ...BY, forMs: 0 });
      expect(await store.claim([uuid], BY)).toEqual(new Set([uuid]));
    });

    test('again when its server has restarted', async () => {
      const store = await open();
      const [mine, other] = [randomUUID(), randomUUID()];
      await store.claim([mine], BY);
      await store.claim([other], { ...BY, owner: 'two' });
      await store.abandon('one');
      expect(await store.claim([mine, other], BY)).toEqual(new Set([mine]));
    });

    test('never after a final receipt', async () => {
      const store = await open();
      const done = ['ok', 'warning', 'accepted', 'drop'] as const;
      const receipts = done.map((verdict) => makeReceipt({ verdict }));
      await store.record(receipts);
      expect(
        await store.claim(
          receipts.map(({ uuid }) => uuid),
          BY,
        ),
      ).toEqual(new Set());
    });
  });

  describe(`${name} keeps events that wait`, () => {
    test('until they are discarded, the longest due first', async () => {
      const connect = await make();
      const store = await connect();
      const [a, b, c] = [makeWaiting('ä'), makeWaiting(), makeWaiting()];
      await store.keep([a], later(2));
      await store.keep([b, a], later(1));
      await store.keep([c], later(9));
      const other = await connect();
      expect(await other.dueEvents(later(5), 10)).toEqual([b, a]);
      expect(await other.dueEvents(later(5), 1)).toEqual([b]);
      const bytes = [a, b, c].map(({ event }) => Buffer.byteLength(JSON.stringify(event)));
      expect(await store.waitingSize()).toEqual({
        events: 3,
        bytes: bytes.reduce((sum, n) => sum + n),
      });
      await store.postpone([b.event.uuid], later(6));
      expect(await store.dueEvents(later(6), 10)).toEqual([a, { ...b, attempts: 1 }]);
      await store.discard([a.event.uuid, b.event.uuid]);
      expect(await store.dueEvents(later(99), 10)).toEqual([c]);
      expect(await store.waitingSize()).toEqual({ events: 1, bytes: bytes[2] });
    });

    test('but not those of a forgotten visit or click, which no sender gets any more', async () => {
      const store = await open();
      const [visited, clicked, other] = [makeWaiting(), makeWaiting(), makeWaiting()];
      visited.event.distinct_id = 'v-2';
      const waiting = [visited, clicked, other];
      await store.keep(waiting, NOW);
      await store.record([makeReceipt({ uuid: clicked.event.uuid })]);
      expect(await store.discardVisits(['v-2', 'v-3'])).toBe(1);
      await store.forgetClicks([clicked.event.uuid], NOW);
      expect((await store.dueEvents(NOW, 9)).map(({ event }) => event.uuid)).toEqual([
        other.event.uuid,
      ]);
      expect((await store.waitingSize()).events).toBe(1);
      const { uuid } = clicked.event;
      expect([...(await store.find([uuid])).values()]).toMatchObject([
        { uuid, event: 'forgotten', verdict: 'drop', attempts: 0 },
      ]);
      expect(await store.claim([uuid], BY)).toEqual(new Set());
    });

    test('no longer than wanted', async () => {
      const store = await open();
      await store.keep([makeWaiting()], later(0));
      expect(await store.expireWaiting(new Date(Date.now() - LONG_MS))).toBe(0);
      expect(await store.expireWaiting(new Date(Date.now() + LONG_MS))).toBe(1);
      expect(await store.waitingSize()).toEqual({ events: 0, bytes: 0 });
    });
  });

  test(`${name} keeps a position for each ledger`, async () => {
    const store = await open();
    const [one, two] = [randomUUID(), randomUUID()];
    expect(await store.position(one)).toBeNull();
    const position = { file: '12345678901234567890', offset: 7_000_000_000, first: randomUUID() };
    await store.setPosition(one, { ...position, offset: 5 });
    await store.setPosition(one, position);
    expect(await store.position(one)).toEqual(position);
    expect(await store.position(two)).toBeNull();
  });
}
