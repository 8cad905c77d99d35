import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenCalm } from '#state/when-calm.ts';

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
  for (let ms = 0; ms < 150; ms += 10) {
    page.dispatchEvent(new Event('pointermove'));
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(isCalm()).toBe(true);
});

test('a view that scrolls by itself holds nothing up for longer than five seconds', async () => {
  const isCalm = begin();
  for (let ms = 0; ms < 5000; ms += 50) {
    page.dispatchEvent(new Event('scroll'));
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(isCalm()).toBe(false);
  for (let ms = 0; ms < 200; ms += 50) {
    page.dispatchEvent(new Event('scroll'));
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(isCalm()).toBe(true);
});

test('what never stops pressing holds nothing up for longer than half a minute', async () => {
  const isCalm = begin();
  for (let ms = 0; ms < 29_900; ms += 100) {
    page.dispatchEvent(new Event('keydown'));
    await vi.advanceTimersByTimeAsync(100);
  }
  expect(isCalm()).toBe(false);
  await vi.advanceTimersByTimeAsync(100);
  expect(isCalm()).toBe(true);
});
