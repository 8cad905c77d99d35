import { describe, expect, test } from 'vitest';
import { backoffMs, retryAfterMs } from '#browser/clicks/backoff.ts';

test('the back-off doubles from one second to five minutes, with full jitter', () => {
  const bounds = [0, 1, 2, 8, 9, 50].map((attempt) => backoffMs(attempt, 1));
  expect(bounds).toEqual([1000, 2000, 4000, 256_000, 300_000, 300_000]);
  expect(backoffMs(5, 0)).toBe(0);
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  test.each([
    [null, 0],
    ['', 0],
    ['7', 7000],
    ['-7', 0],
    ['nonsense', 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['999999999', 3_600_000],
  ])('%j means %d ms', (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
