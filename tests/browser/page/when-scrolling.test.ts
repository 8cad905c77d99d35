import { beforeEach, expect, test, vi } from 'vitest';
import { whenScrolling } from '#browser/page/when-scrolling.ts';

let window: EventTarget;
beforeEach(() => {
  window = new EventTarget();
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
});

/** Waits for scrolling, and sends these events. @returns how often the callback ran */
function runsAfter(...types: string[]): number {
  const act = vi.fn();
  whenScrolling(act);
  for (const type of types) window.dispatchEvent(new Event(type));
  return act.mock.calls.length;
}

test.each(['wheel', 'touchstart', 'keydown', 'scroll'])('%s begins the scrolling', (type) => {
  expect(runsAfter(type)).toBe(1);
});

test('it begins once', () => {
  expect(runsAfter('wheel', 'scroll', 'scroll', 'keydown')).toBe(1);
});

test('a movement of the pointer or a press does not begin it', () => {
  expect(runsAfter('pointermove', 'pointerdown', 'focusin')).toBe(0);
});
