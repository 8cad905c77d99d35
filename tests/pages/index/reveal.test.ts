import { afterEach, expect, test, vi } from 'vitest';
import { revealOnce } from '#pages/index/reveal.ts';

type Report = (entries: object[]) => void;

/** One element that is far below the view at the first report. Vitest has no layout, so the test makes the reports. */
function startWithElementBelow() {
  const unobserved = vi.fn();
  let report: Report = () => {};
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe = () => {};
      unobserve = unobserved;
      constructor(callback: Report) {
        report = callback;
      }
    },
  );
  vi.stubGlobal('innerHeight', 800);
  const element = { dataset: { reveal: '' } };
  revealOnce([element as unknown as HTMLElement]);
  const entry = (isIntersecting: boolean, top: number) => ({
    target: element,
    isIntersecting,
    boundingClientRect: { top },
  });
  report([entry(false, 2000)]);
  return { element, report: (...entries: object[]) => report(entries), entry, unobserved };
}

afterEach(() => vi.unstubAllGlobals());

test('an element that a quick visitor scrolls past moves in, also if both reports arrive together', () => {
  const { element, report, entry, unobserved } = startWithElementBelow();
  expect(element.dataset.reveal).toBe('waiting');
  report(entry(true, 300), entry(false, -400));
  expect(element.dataset.reveal).toBe('shown');
  expect(unobserved).toHaveBeenCalledOnce();
});
