import { beforeEach, expect, test, vi } from 'vitest';
import { followScroll } from '#browser/page/follow-scroll.ts';
import { pageStore } from '#browser/page-store.ts';

const bar = { style: { width: '', setProperty: (_: string, value: string) => setWidth(value) } };
const setWidth = (value: string) => {
  bar.style.width = value;
};

/**
 * Puts a page of this height in place of the browser's, in a window of 500 px. Returns a way to
 * scroll it.
 */
function openPage(scrollHeight: number) {
  const window = new EventTarget();
  const documentElement = { scrollHeight, clientHeight: 500, scrollTop: 0 };
  let observed = () => {};
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('document', { documentElement, body: {} });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(report: () => void) {
        observed = report;
      }
      observe() {}
    },
  );
  followScroll(bar as never);
  return {
    scrollTo(top: number) {
      documentElement.scrollTop = top;
      window.dispatchEvent(new Event('scroll'));
    },
    resize(height: number) {
      documentElement.clientHeight = height;
      window.dispatchEvent(new Event('resize'));
    },
    grow(height: number) {
      documentElement.scrollHeight = height;
      observed();
    },
  };
}

beforeEach(() => vi.unstubAllGlobals());

test('the store and the bar have the percent that is scrolled', () => {
  const page = openPage(1500);
  page.scrollTo(250);
  expect(pageStore.getState().scroll).toBe(25);
  expect(bar.style.width).toBe('25%');
  page.scrollTo(1000);
  expect(bar.style.width).toBe('100%');
});

test('a page that grows is scrolled less far', () => {
  const page = openPage(1500);
  page.scrollTo(500);
  page.grow(2500);
  expect(bar.style.width).toBe('25%');
});

test('in a lower window the same place is less far', () => {
  const page = openPage(1500);
  page.scrollTo(500);
  page.resize(250);
  expect(bar.style.width).toBe('40%');
});

test('a page that fits into the window is not scrolled', () => {
  const page = openPage(500);
  page.scrollTo(0);
  expect(pageStore.getState().scroll).toBe(0);
});
