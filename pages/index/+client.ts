/** The script of every counted page: starts the clicks, then the motion. On the landing page it loads React once the visitor interacts. */
import { site } from 'virtual:site';
import { countVisitAgain } from '#browser/count-visit-again.ts';
import { carryRefInto } from '#browser/inline/carry-ref.ts';
import { readRef } from '#browser/inline/read-ref.ts';
import { keepPlace } from '#browser/language-link.ts';
import { loadImages } from '#browser/load-images.ts';
import { siteStore } from '#browser/site.ts';
import { startDelivery } from '#browser/start-delivery.ts';
import { startTracking } from '#browser/start-tracking.ts';
import { whenInteracted } from '#browser/when-interacted.ts';
import { STATS_POLL_MS } from '#components/queries/stats-poll.ts';
import { followScroll } from './follow-scroll.ts';
import { hideBrokenImages } from './hide-broken-images.ts';
import { revealOnce } from './reveal.ts';
import { showCaptions } from './show-captions.ts';

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
keepPlace([...document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')]);
hideBrokenImages(document.images);
loadImages(document.images);
showCaptions(document.querySelector('video'));

let isHydrating = false;
const hydrate = () => {
  if (isHydrating) return;
  isHydrating = true;
  // Two chunks that load at the same time, because each then runs in a short task of its own.
  Promise.all([import('#components/islands/hydrate-islands.tsx'), import('react-dom/client')]).then(
    ([{ hydrateIslands }, reactDom]) => hydrateIslands(reactDom),
    () => {
      isHydrating = false; // Without a network, the page can be read and counts clicks without React.
    },
  );
};
if (hasIslands) {
  whenInteracted(hydrate, new AbortController().signal);
  // Without any interaction, only the hero's poll needs React. The first poll is due after this time.
  setTimeout(hydrate, STATS_POLL_MS);
}
