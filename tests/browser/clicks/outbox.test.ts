import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createOutbox } from '#browser/clicks/outbox.ts';
import { readClick } from '#browser/clicks/read-click.ts';
import { OUTBOX_PREFIX } from '#browser/clicks/stub-data.ts';
import { clickSchema } from '#contract/click-fields.schema.ts';
import { clickAt } from '../../helpers/fakes/clicks.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;
const now = () => NOW;

// Node's storage is as a browser's: in memory, with a quota.
beforeEach(() => sessionStorage.clear());

test('the outbox lists clicks oldest first, without the removed ones', () => {
  const outbox = createOutbox(sessionStorage, now);
  const [older, newer] = [clickAt(NOW - 1), clickAt(NOW)];
  outbox.put(newer);
  outbox.put(older);
  expect(outbox.list()).toEqual([older, newer]);
  outbox.remove(older.id);
  expect(outbox.has(older.id)).toBe(false);
  expect(outbox.list()).toEqual([newer]);
});

const refuse = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
};
const QUOTA = 5 * 1024 * 1024;

test.each([
  ['does not exist', null],
  ['is refused', new Proxy({} as Storage, { get: refuse })],
  ['is full', sessionStorage],
])('where storage %s, clicks are kept in memory', (_name, storage) => {
  sessionStorage.setItem('x', 'x'.repeat(QUOTA - 1));
  const outbox = createOutbox(storage, now);
  const click = clickAt(NOW);
  outbox.put(click);
  expect(outbox.list()).toEqual([click]);
  outbox.remove(click.id);
  expect(outbox.list()).toEqual([]);
});

describe('bounds', () => {
  test('of more than 50 clicks the oldest are dropped and counted', () => {
    const outbox = createOutbox(sessionStorage, now);
    for (let i = 0; i < 53; i++) outbox.put(clickAt(NOW - 53 + i));
    expect(outbox.list().map((click) => click.timestamp)[0]).toBe(new Date(NOW - 50).toISOString());
    expect(outbox.list()).toHaveLength(50);
    expect(outbox.droppedCount()).toBe(3);
    outbox.subtractDropped(3);
    expect(outbox.droppedCount()).toBe(0);
  });

  test('of more than 64 KB the oldest are dropped', () => {
    const outbox = createOutbox(sessionStorage, now);
    for (let i = 0; i < 40; i++) {
      outbox.put({ ...clickAt(NOW - 40 + i), page_url: `https://a.example/${'x'.repeat(2000)}` });
    }
    const characters = outbox.list().reduce((sum, click) => sum + JSON.stringify(click).length, 0);
    expect(characters).toBeLessThanOrEqual(64 * 1024);
    expect(outbox.list().length + outbox.droppedCount()).toBe(40);
  });

  test('exactly 64 KB are kept, and one character more drops the oldest click', () => {
    const outbox = createOutbox(sessionStorage, now);
    const clicksOf = (characters: number) => {
      const click = { ...clickAt(NOW), page_url: 'https://a.example/' };
      const missing = characters - JSON.stringify(click).length;
      return { ...click, page_url: click.page_url + 'x'.repeat(missing) };
    };
    for (let i = 0; i < 31; i++) outbox.put(clicksOf(2048));
    const newest = clicksOf(2048);
    outbox.put(newest);
    expect([outbox.list().length, outbox.droppedCount()]).toEqual([32, 0]);
    outbox.put({ ...newest, page_url: `${newest.page_url}x` });
    expect([outbox.list().length, outbox.droppedCount()]).toEqual([31, 1]);
  });

  test('clicks older than seven days expire and are counted', () => {
    const outbox = createOutbox(sessionStorage, now);
    outbox.put(clickAt(NOW - 7 * DAY_MS - 1));
    outbox.put(clickAt(NOW - 7 * DAY_MS));
    expect(outbox.list()).toHaveLength(1);
    expect(outbox.droppedCount()).toBe(1);
  });
});

const good = clickAt(NOW);

describe('an entry that is not a click of ours is removed, not sent:', () => {
  const CHANGES: Record<string, unknown>[] = [
    { id: clickAt(NOW).id },
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
    sessionStorage.setItem(OUTBOX_PREFIX + good.id, text);
    sessionStorage.setItem('of-another-script', 'untouched');
    expect(createOutbox(sessionStorage, now).list()).toEqual([]);
    expect(sessionStorage.length).toBe(1);
  });
});

test('a click with a garbled address or counter keeps its valid fields', () => {
  const garbled = { ...good, ip: '<script>', dropped: 'many', sent_at: 5 };
  sessionStorage.setItem(OUTBOX_PREFIX + good.id, JSON.stringify(garbled));
  expect(createOutbox(sessionStorage, now).list()).toEqual([good]);
});

test.each(['many', '-1', '1.5', '1e9'])(
  'the count of dropped clicks is 0 where the storage says %j, and goes on from there',
  (text) => {
    sessionStorage.setItem('clicks-dropped', text);
    const outbox = createOutbox(sessionStorage, now);
    expect(outbox.droppedCount()).toBe(0);
    outbox.put(clickAt(NOW - 8 * DAY_MS));
    outbox.list();
    expect(outbox.droppedCount()).toBe(1);
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
