import { pageStore } from '../page-store.ts';

/**
 * Writes how far the page is scrolled, in percent, into the page store and into the width of the
 * progress bar.
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
  // A resize observer also calls back for the first layout, and whenever the page's height changes.
  new ResizeObserver(update).observe(document.body);
}
