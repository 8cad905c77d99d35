import { beforeEach, expect, test, vi } from 'vitest';
import { revealOnce } from '#browser/page/reveal-once.ts';

const VIEW_HEIGHT = 800;
const observed = new Set<object>();
let report = (_: object[]) => {};

beforeEach(() => {
  observed.clear();
  vi.stubGlobal('innerHeight', VIEW_HEIGHT);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (entries: object[]) => void) {
        report = callback;
      }
      observe = (target: object) => void observed.add(target);
      unobserve = (target: object) => void observed.delete(target);
    },
  );
});

/** Begins to reveal one element. Its reports have its top, and whether it is in view. */
function reveal() {
  const element = { dataset: { reveal: '' } };
  revealOnce([element as never]);
  return {
    element,
    at(top: number, isIntersecting: boolean) {
      if (observed.has(element))
        report([{ target: element, boundingClientRect: { top }, isIntersecting }]);
      return element.dataset.reveal;
    },
  };
}

test.each([
  ['in view', 100],
  ['above the view', -900],
  ['at its lower edge', VIEW_HEIGHT],
])('an element that is %s at the first report does not move', (_, top) => {
  const { at } = reveal();
  expect(at(top, false)).toBe('shown');
});

test('an element below the view waits, and moves in once', () => {
  const { at, element } = reveal();
  expect(at(2000, false)).toBe('waiting');
  expect(at(1000, false)).toBe('waiting');
  expect(at(700, true)).toBe('shown');
  expect(observed.has(element)).toBe(false);
});

test('a report of leaving the view, in one step with that of entering it, changes nothing', () => {
  const { element } = reveal();
  const entry = (isIntersecting: boolean) => ({
    target: element,
    boundingClientRect: { top: 900 },
    isIntersecting,
  });
  report([entry(false)]);
  report([entry(true), entry(false)]);
  expect(element.dataset.reveal).toBe('shown');
});
