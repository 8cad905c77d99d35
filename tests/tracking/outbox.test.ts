import { describe, expect, test } from 'vitest';
import { OUTBOX_PREFIX } from '#tracking/capture.ts';
import { createOutbox } from '#tracking/outbox.ts';
import { clickAt } from '../helpers/clicks.ts';
import { memoryStorage, refusingStorage } from '../helpers/storages.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 86_400_000;
const now = () => NOW;

test('clicks come back oldest first, and are gone once removed', () => {
  const outbox = createOutbox(memoryStorage(), now);
  const [older, newer] = [clickAt(NOW - 1), clickAt(NOW)];
  outbox.put(newer);
  outbox.put(older);
  expect(outbox.list()).toEqual([older, newer]);
  outbox.remove(older.id);
  expect(outbox.has(older.id)).toBe(false);
  expect(outbox.list()).toEqual([newer]);
});

test('two tabs share it without overwriting each other', () => {
  const storage = memoryStorage();
  const [one, other] = [createOutbox(storage, now), createOutbox(storage, now)];
  one.put(clickAt(NOW, 1));
  other.put(clickAt(NOW, 2));
  expect(one.list()).toHaveLength(2);
  expect(other.list()).toEqual(one.list());
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
  test('of more than 50 clicks the oldest go, and are counted', () => {
    const outbox = createOutbox(memoryStorage(), now);
    for (let i = 0; i < 53; i++) outbox.put(clickAt(NOW - 53 + i));
    expect(outbox.list().map((click) => click.timestamp)[0]).toBe(new Date(NOW - 50).toISOString());
    expect(outbox.list()).toHaveLength(50);
    expect(outbox.dropped()).toBe(3);
    outbox.reported(3);
    expect(outbox.dropped()).toBe(0);
  });

  test('of more than 64 KB the oldest go', () => {
    const outbox = createOutbox(memoryStorage(), now);
    for (let i = 0; i < 40; i++) {
      outbox.put({ ...clickAt(NOW - 40 + i), page_url: `https://a.example/${'x'.repeat(2000)}` });
    }
    const characters = outbox.list().reduce((sum, click) => sum + JSON.stringify(click).length, 0);
    expect(characters).toBeLessThanOrEqual(64 * 1024);
    expect(outbox.list().length + outbox.dropped()).toBe(40);
  });

  test('what is older than seven days expires, and is counted', () => {
    const outbox = createOutbox(memoryStorage(), now);
    outbox.put(clickAt(NOW - 7 * DAY_MS - 1));
    outbox.put(clickAt(NOW - 7 * DAY_MS));
    expect(outbox.list()).toHaveLength(1);
    expect(outbox.dropped()).toBe(1);
  });

  test('a clock that was days ahead does not expire anything', () => {
    const outbox = createOutbox(memoryStorage(), now);
    outbox.put(clickAt(NOW + 30 * DAY_MS));
    expect(outbox.list()).toHaveLength(1);
  });
});

test.each(['', 'null', '{', '[]', '{"id":"another"}', '"text"'])(
  'what is no click of ours (%s) is thrown away, and not sent',
  (text) => {
    const storage = memoryStorage();
    storage.setItem(`${OUTBOX_PREFIX}x`, text);
    storage.setItem('somebody-else', 'untouched');
    expect(createOutbox(storage, now).list()).toEqual([]);
    expect(storage.length).toBe(1);
  },
);
