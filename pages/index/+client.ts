/** The script of every counted page: starts the clicks, then the motion. On the landing page it loads React once the visitor interacts. */
import { site } from 'virtual:site';
import { whenIdle, whenInteracted } from '#browser/idle.ts';
import { readRef } from '#browser/inline/read-ref.ts';
import { asksForPrivacy, hideMark } from '#browser/opt-out.ts';
import { drawRoad } from '#browser/page/draw-road.ts';
import { revealOnce } from '#browser/page/reveal.ts';
import { siteStore } from '#browser/page-store.ts';
import { startDelivery } from '#browser/start-delivery.ts';
import { startTracking } from '#browser/start-tracking.ts';
import { STATS_POLL_MS } from '#contract/limits.ts';

hideMark();
const capture = window.ctaCapture;
/** Help pages have no React, and no posthog-js: the server makes their clicks' events from the rows. */
const hasIslands = document.querySelector('[data-island]') !== null;
siteStore.getState().setRef(readRef(location.search));
if (capture) {
  if (hasIslands && site.posthogKey && !asksForPrivacy()) startTracking(site.posthogKey, capture);
  startDelivery(site.ipLookupUrl, capture);
}
followScroll(document.querySelector<HTMLElement>('[data-progress]'));
whenScrolling(() => {
  revealOnce(document.querySelectorAll<HTMLElement>('[data-reveal]'));
  drawRoad(document.querySelectorAll<SVGElement>('.line'));
});
keepPlace(document.querySelectorAll<HTMLAnchorElement>('a[hreflang]'));
hideBrokenImages(document.images);
loadImages(document.images);
showCaptions(document.querySelector('video'));

let isHydrating = false;
const hydrate = () => {
  if (isHydrating) return;
  isHydrating = true;
  // Two chunks that load at the same time, because each then runs in a short task of its own.
  Promise.all([import('#components/islands/hydrate-islands.tsx'), import('react-dom/client')]).then(
    ([{ hydrateIslands }, { hydrateRoot }]) => hydrateIslands(hydrateRoot),
    () => {
      isHydrating = false; // Without a network, the page counts clicks without React. The timer tries once more.
    },
  );
};
if (hasIslands) {
  whenInteracted(hydrate);
  // Without any interaction, only the hero's poll needs React. The first poll is due after this time.
  setTimeout(hydrate, STATS_POLL_MS);
}

/**
 * Runs the callback once, when the visitor begins to scroll. Not with a movement of the pointer, which browsers also report by
 * themselves: a capture of the whole page must not wait for anything.
 */
function whenScrolling(act: () => void): void {
  const listening = new AbortController();
  const onSign = () => {
    listening.abort();
    act();
  };
  for (const sign of ['wheel', 'touchstart', 'keydown', 'scroll'])
    addEventListener(sign, onSign, { signal: listening.signal, passive: true });
}

/** Keeps the state's scroll position, and the progress bar's width, equal to the percent scrolled. */
function followScroll(bar: HTMLElement | null): void {
  const update = () => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
    const range = scrollHeight - clientHeight;
    siteStore.getState().setScroll(range > 0 ? (100 * scrollTop) / range : 0);
  };
  siteStore.subscribe(({ scroll }) => bar?.style.setProperty('width', `${scroll}%`));
  addEventListener('scroll', update, { passive: true });
  addEventListener('resize', update, { passive: true });
  // The observer also reports the first layout, and every growth of the page.
  new ResizeObserver(update).observe(document.body);
}

/** Puts the address's fragment into the links to the other language, so that the visitor stays at the same section. */
function keepPlace(links: NodeListOf<HTMLAnchorElement>): void {
  const carry = () => {
    for (const link of links) link.hash = location.hash;
  };
  carry();
  addEventListener('hashchange', carry);
}

/**
 * Loads the lazy images once the page is idle, because a capture of the whole page does not scroll. With Data Saver on, the
 * browser still loads each image close to the view.
 */
function loadImages(images: Iterable<HTMLImageElement>): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  const load = () => {
    // Null without a layout box: some drawings are for wide windows only.
    for (const image of images) if (image.offsetParent) image.loading = 'eager';
  };
  if (document.readyState === 'complete') whenIdle(load);
  else addEventListener('load', () => whenIdle(load));
}

/**
 * Hides each image that does not load, because the browser would show a broken-image icon in a large gap. All images are
 * decoration: the words around them say everything.
 */
function hideBrokenImages(images: Iterable<HTMLImageElement>): void {
  for (const image of images) {
    const hide = () => {
      image.hidden = true;
    };
    if (image.complete && image.naturalWidth === 0) hide();
    else image.addEventListener('error', hide);
  }
}

/**
 * Shows the captions of the page's language in WebKit, which ignores the attribute `default`. Other browsers show them by
 * themselves. Waits until the film has loaded, because WebKit disables them again until then.
 */
function showCaptions(film: HTMLVideoElement | null): void {
  const show = () => {
    const [captions] = film?.textTracks ?? [];
    if (captions) captions.mode = 'showing';
  };
  film?.addEventListener('loadeddata', show, { once: true });
}
