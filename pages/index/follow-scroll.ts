import type { StoreApi } from 'zustand/vanilla';
import type { SiteState } from '#browser/site.ts';

/** Keeps the state's scroll position, and the progress bar's width, equal to the percent scrolled. */
export function followScroll(store: StoreApi<SiteState>, bar: HTMLElement | null): void {
  const update = () => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
    const range = scrollHeight - clientHeight;
    store.getState().setScroll(range > 0 ? (100 * scrollTop) / range : 0);
  };
  store.subscribe(({ scroll }) => bar?.style.setProperty('width', `${scroll}%`));
  addEventListener('scroll', update, { passive: true });
  addEventListener('resize', update, { passive: true });
  // The observer also reports the first layout, and every growth of the page.
  new ResizeObserver(update).observe(document.body);
}
