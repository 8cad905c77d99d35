/** The first external script: starts the clicks, then the motion. Loads React once the visitor interacts. */
import { site } from 'virtual:site';
import { keepPlace } from '#browser/language-link.ts';
import { loadImages } from '#browser/load-images.ts';
import { siteStore } from '#browser/site.ts';
import { whenInteracted } from '#browser/when-interacted.ts';
import { STATS_POLL_MS } from '#queries/stats-poll.ts';
import { carryRefInto } from '#tracking/inline/carry-ref.ts';
import { readRef } from '#tracking/inline/read-ref.ts';
import { startTracking } from '#tracking/start-tracking.ts';
import { followScroll } from './follow-scroll.ts';
import { hideBrokenImages } from './hide-broken-images.ts';
import { linkManifest } from './link-manifest.ts';
import { revealOnce } from './reveal.ts';
import { showCaptions } from './show-captions.ts';

const capture = window.ctaCapture;
// The stub has already done this, unless a proxy has removed it from the page.
siteStore.subscribe(({ ref }, before) => {
  if (ref !== before.ref) carryRefInto('a[data-cta]', ref);
});
siteStore.getState().setRef(capture?.ref ?? readRef(location.search));
if (capture) startTracking(site, capture);
followScroll(siteStore, document.querySelector<HTMLElement>('[data-progress]'));
revealOnce(document.querySelectorAll<HTMLElement>('[data-reveal]'));
keepPlace([...document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')]);
hideBrokenImages(document.images);
loadImages(document.images);
showCaptions(document.querySelector('video'));
linkManifest();

let isHydrating = false;
const hydrate = () => {
  if (isHydrating) return;
  isHydrating = true;
  // Two chunks that load at the same time, because each then runs in a short task of its own.
  Promise.all([import('#islands/hydrate-islands.tsx'), import('react-dom/client')]).then(
    ([{ hydrateIslands }, reactDom]) => hydrateIslands(reactDom),
    () => {
      isHydrating = false; // Without a network, the page can be read and counts clicks without React.
    },
  );
};
whenInteracted(hydrate, new AbortController().signal);
// Without any interaction, only the hero's poll needs React. The first poll is due after this time.
setTimeout(hydrate, STATS_POLL_MS);
