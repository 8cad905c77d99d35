import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenCalm } from '#browser/when-calm.ts';

let page: EventTarget;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function begin(): () => boolean {
  let isCalm = false;
  whenCalm(150).then(() => {
    isCalm = true;
  });
  return () => isCalm;
}

async function keepOn(sign: string, { everyMs, forMs }: { everyMs: number; forMs: number }) {
  for (let ms = 0; ms < forMs; ms += everyMs) {
    page.dispatchEvent(new Event(sign));
    await vi.advanceTimersByTimeAsync(everyMs);
  }
}

test('comes after a pause of the given length', async () => {
  const isCalm = begin();
  await vi.advanceTimersByTimeAsync(149);
  expect(isCalm()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isCalm()).toBe(true);
});

test.each(['keydown', 'pointerdown', 'scroll'])('a %s begins the pause anew', async (sign) => {
  const isCalm = begin();
  await vi.advanceTimersByTimeAsync(140);
  page.dispatchEvent(new Event(sign));
  await vi.advanceTimersByTimeAsync(149);
  expect(isCalm()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isCalm()).toBe(true);
});

test('a gaze or a pointer that moves all the time holds nothing up', async () => {
  const isCalm = begin();
  await keepOn('pointermove', { everyMs: 10, forMs: 150 });
  expect(isCalm()).toBe(true);
});

test('a view that scrolls by itself holds nothing up for longer than five seconds', async () => {
  const isCalm = begin();
  await keepOn('scroll', { everyMs: 50, forMs: 5000 });
  expect(isCalm()).toBe(false);
  await keepOn('scroll', { everyMs: 50, forMs: 200 });
  expect(isCalm()).toBe(true);
});

test('what never stops pressing holds nothing up for longer than half a minute', async () => {
  const isCalm = begin();
  await keepOn('keydown', { everyMs: 100, forMs: 29_900 });
  expect(isCalm()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(isCalm()).toBe(true);
});
