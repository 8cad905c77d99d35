import { expect, test } from 'vitest';
import { createMemoryCounter } from '../../../../server/http/rate-limit/memory-counter.ts';

test('counts a key within its window, and starts again after it', () => {
  const count = createMemoryCounter(10);
  expect(count('a', 1000, 5000)).toEqual({ current: 1, ttl: 1000 });
  expect(count('b', 1000, 5100)).toEqual({ current: 1, ttl: 1000 });
  expect(count('a', 1000, 5400)).toEqual({ current: 2, ttl: 600 });
  expect(count('a', 1000, 6000)).toEqual({ current: 1, ttl: 1000 });
});

test('forgets the oldest key when there are too many', () => {
  const count = createMemoryCounter(2);
  for (const key of ['a', 'b', 'c']) count(key, 1000, 0);
  expect(count('b', 1000, 0).current).toBe(2);
  expect(count('a', 1000, 0).current).toBe(1);
});
