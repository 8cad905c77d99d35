import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OUTBOX_PREFIX } from '#browser/clicks/capture.ts';
import { createOutbox } from '#browser/clicks/outbox.ts';
import { readClick } from '#browser/clicks/read-click.ts';
import { clickSchema } from '#contract/click-fields.schema.ts';
import { clickAt } from '../../helpers/fakes/clicks.ts';
import { memoryStorage, refusingStorage } from '../../helpers/fakes/storages.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;
const now = () => NOW;

test('the outbox lists clicks oldest first, without the removed ones', () => {
  const outbox = createOutbox(memoryStorage(), now);
  const [older, newer] = [clickAt(NOW - 1), clickAt(NOW)];
  outbox.put(newer);
  outbox.put(older);
  expect(outbox.list()).toEqual([older, newer]);
  outbox.remove(older.id);
  expect(outbox.has(older.id)).toBe(false);
  expect(outbox.list()).toEqual([newer]);
});

describe('where storage', () => {
  test.each([
    ['does not exist', null],
    ['is refused', refusingStorage()],
    ['is full', memoryStorage(0)],
  ])('%s, clicks are kept in memory', (_name, storage) => {
    const outbox = createOutbox(storage, now);
    const click = clickAt(NOW);
    outbox.put(click);
    expect(outbox.list()).toEqual([click]);
    outbox.remove(click.id);
    expect(outbox.list()).toEqual([]);
  });
});

describe('bounds', () => {
  test('of more than 50 clicks the oldest are dropped and counted', () => {
    const outbox = createOutbox(memoryStorage(), now);
    for (let i = 0; i < 53; i++) outbox.put(clickAt(NOW - 53 + i));
    expect(outbox.list().map((click) => click.timestamp)[0]).toBe(new Date(NOW - 50).toISOString());
    expect(outbox.list()).toHaveLength(50);
    expect(outbox.dropped()).toBe(3);
    outbox.reported(3);
    expect(outbox.dropped()).toBe(0);
  });

  test('of more than 64 KB the oldest are dropped', () => {
    const outbox = createOutbox(memoryStorage(), now);
    for (let i = 0; i < 40; i++) {
      outbox.put({ ...clickAt(NOW - 40 + i), page_url: `https://a.example/${'x'.repeat(2000)}` });
    }
    const characters = outbox.list().reduce((sum, click) => sum + JSON.stringify(click).length, 0);
    expect(characters).toBeLessThanOrEqual(64 * 1024);
    expect(outbox.list().length + outbox.dropped()).toBe(40);
  });

  test('clicks older than seven days expire and are counted', () => {
    const outbox = createOutbox(memoryStorage(), now);
    outbox.put(clickAt(NOW - 7 * DAY_MS - 1));
    outbox.put(clickAt(NOW - 7 * DAY_MS));
    expect(outbox.list()).toHaveLength(1);
    expect(outbox.dropped()).toBe(1);
  });
});

const good = clickAt(NOW);

describe('an entry that is not a click of ours is removed, not sent:', () => {
  const CHANGES: Record<string, unknown>[] = [
    { id: clickAt(NOW, 2).id },
    { visit_id: undefined },
    { event: 'x'.repeat(65) },
    { referrer: 5 },
    { timestamp: 'yesterday' },
    { page_url: 'javascript:alert(1)' },
    { is_mobile: 'no' },
  ];
  test.each([
    ...['', 'null', '{', '5', '{}'].map((text) => [text, text]),
    ...CHANGES.map((change) => [
      JSON.stringify(change).slice(0, 60),
      JSON.stringify({ ...good, ...change }),
    ]),
  ])('%s', (_name, text) => {
    const storage = memoryStorage();
    storage.setItem(OUTBOX_PREFIX + good.id, text);
    storage.setItem('of-another-script', 'untouched');
    expect(createOutbox(storage, now).list()).toEqual([]);
    expect(storage.length).toBe(1);
  });
});

test('a click with a garbled address or counter keeps its valid fields', () => {
  const storage = memoryStorage();
  const garbled = { ...good, ip: '<script>', dropped: 'many', sent_at: 5 };
  storage.setItem(OUTBOX_PREFIX + good.id, JSON.stringify(garbled));
  expect(createOutbox(storage, now).list()).toEqual([good]);
});

test.each(['many', '-1', '1.5', '1e9'])(
  'the count of dropped clicks is 0 where the storage says %j, and goes on from there',
  (text) => {
    const storage = memoryStorage();
    storage.setItem('clicks-dropped', text);
    const outbox = createOutbox(storage, now);
    expect(outbox.dropped()).toBe(0);
    outbox.put(clickAt(NOW - 8 * DAY_MS));
    outbox.list();
    expect(outbox.dropped()).toBe(1);
  },
);

test('the server accepts every click that the outbox reads back from storage', () => {
  const anything = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }));
  const changes = fc.dictionary(fc.constantFrom(...Object.keys(good), 'dropped'), anything);
  fc.assert(
    fc.property(changes, (changed) => {
      const text = JSON.stringify({ ...good, ...changed, event: good.event, id: good.id });
      const click = readClick(good.id, text);
      if (click) expect(clickSchema.safeParse(click).error).toBeUndefined();
    }),
  );
});
