import { beforeEach, expect, test, vi } from 'vitest';
import { whenNear } from '#browser/page/when-near.ts';

let report = (_: { isIntersecting: boolean }[]) => {};
let rootMargin = '';

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: typeof report, options: { rootMargin: string }) {
        report = callback;
        rootMargin = options.rootMargin;
      }
      observe() {}
    },
  );
});

/** Waits for two elements. */
function wait() {
  const elements = [new EventTarget(), new EventTarget()];
  const act = vi.fn();
  whenNear(elements as never, act);
  return { elements, act };
}

test('an element within one screen of the view is near, and one further away is not', () => {
  const { act } = wait();
  expect(rootMargin).toBe('100% 0px');
  report([{ isIntersecting: false }, { isIntersecting: false }]);
  expect(act).not.toHaveBeenCalled();
  report([{ isIntersecting: false }, { isIntersecting: true }]);
  expect(act).toHaveBeenCalledTimes(1);
});

test.each(['focusin', 'input'])('%s in any of the elements counts as near', (type) => {
  const { act, elements } = wait();
  elements[1]?.dispatchEvent(new Event(type));
  expect(act).toHaveBeenCalledTimes(1);
});
