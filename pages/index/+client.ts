/** The script of every counted page: starts the clicks, then the motion. On the landing page it loads React once the visitor interacts. */
import { site } from 'virtual:site';
import { countVisitAgain } from '#browser/count-visit-again.ts';
import { whenIdle, whenInteracted } from '#browser/idle.ts';
import { carryRefInto } from '#browser/inline/carry-ref.ts';
import { readRef } from '#browser/inline/read-ref.ts';
import { hideMark } from '#browser/opt-out.ts';
import { siteStore } from '#browser/site.ts';
import { startDelivery } from '#browser/start-delivery.ts';
import { startTracking } from '#browser/start-tracking.ts';
import { STATS_POLL_MS } from '#contract/limits.ts';
import { followScroll } from './follow-scroll.ts';
import { hideBrokenImages } from './hide-broken-images.ts';
import { revealOnce } from './reveal.ts';
import { showCaptions } from './show-captions.ts';

hideMark();
const capture = window.ctaCapture;
/** Help pages have no React, and no posthog-js: the server makes their clicks' events from the rows. */
const hasIslands = document.querySelector('[data-island]') !== null;
// The stub has already done this, unless a proxy has removed it from the page.
siteStore.subscribe(({ ref }, before) => {
  if (ref !== before.ref) carryRefInto('a[data-cta]', ref);
});
siteStore.getState().setRef(capture?.ref ?? readRef(location.search));
if (capture && hasIslands) startTracking(site, capture);
else if (capture) {
  countVisitAgain(site.posthogKey, capture);
  startDelivery(site.ipLookupUrl, capture);
}
followScroll(siteStore, document.querySelector<HTMLElement>('[data-progress]'));
revealOnce(document.querySelectorAll<HTMLElement>('[data-reveal]'));
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

/** Puts the address's fragment into the links to the other language, so that the visitor stays at the same section. */
function keepPlace(links: NodeListOf<HTMLAnchorElement>): void {
  const carry = () => {
    for (const link of links) link.hash = location.hash;
  };
  carry();
  addEventListener('hashchange', carry);
}

/**
 * Loads the lazy images once the page is idle, because a capture of the whole page does not scroll. One in each idle period, so
 * that a press in between is answered at once. With Data Saver on, the browser still loads each image close to the view.
 */
function loadImages(images: Iterable<HTMLImageElement>): void {
  if ((navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData)
    return;
  const waiting = [...images];
  const loadNext = () => {
    const image = waiting.shift();
    if (!image) return;
    // Null without a layout box: some drawings are for wide windows only.
    if (image.offsetParent) image.loading = 'eager';
    whenIdle(loadNext);
  };
  if (document.readyState === 'complete') whenIdle(loadNext);
  else addEventListener('load', () => whenIdle(loadNext));
}
