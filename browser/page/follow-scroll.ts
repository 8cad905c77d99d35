import { pageStore } from '../page-store.ts';

/**
 * Keeps the store's scroll position, and the width of the progress bar, equal to the percent of the
 * page scrolled.
 */
export function followScroll(bar: HTMLElement | null): void {
  const update = () => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
    const range = scrollHeight - clientHeight;
    pageStore.getState().setScroll(range > 0 ? (100 * scrollTop) / range : 0);
  };
  pageStore.subscribe(({ scroll }) => bar?.style.setProperty('width', `${scroll}%`));
  addEventListener('scroll', update, { passive: true });
  addEventListener('resize', update, { passive: true });
  // The observer also reports the first layout, and every growth of the page.
  new ResizeObserver(update).observe(document.body);
}
