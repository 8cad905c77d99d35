/** The first external script: clicks first, then what moves. React comes when the visitor does something. */
import { site } from 'virtual:site';
import { siteStore } from '#browser/site.ts';
import { whenInteracted } from '#browser/when-interacted.ts';
import { STATS_POLL_MS } from '#queries/stats-poll.ts';
import { loadFonts } from '#renderer/load-fonts.ts';
import { carryRefInto, HOME_LINKS } from '#tracking/inline/carry-ref.ts';
import { readRef } from '#tracking/inline/read-ref.ts';
import { startTracking } from '#tracking/start-tracking.ts';
import { followScroll } from './follow-scroll.ts';
import { hideBrokenImages } from './hide-broken-images.ts';
import { revealOnce } from './reveal.ts';

const capture = window.ctaCapture;
// The stub has done this long ago, unless something between the server and the page took it out.
siteStore.subscribe(({ ref }, before) => {
  if (ref !== before.ref) carryRefInto(`a[data-cta],${HOME_LINKS}`, ref);
});
siteStore.getState().setRef(capture?.ref ?? readRef(location.search));
if (capture) startTracking(site, capture);
followScroll(siteStore, document.querySelector<HTMLElement>('[data-progress]'));
revealOnce(document.querySelectorAll<HTMLElement>('[data-reveal]'));
hideBrokenImages(document.images);
void loadFonts();

let isHydrating = false;
const hydrate = () => {
  if (isHydrating) return;
  isHydrating = true;
  // Two chunks that come at the same time: each runs in a task of its own, and neither is long.
  Promise.all([import('#islands/hydrate-islands.tsx'), import('react-dom/client')]).then(
    ([{ hydrateIslands }, reactDom]) => hydrateIslands(reactDom),
    () => {
      isHydrating = false; // No network just now: the page reads and counts without React.
    },
  );
};
whenInteracted(hydrate, new AbortController().signal);
// Untouched, the page needs React for the hero's poll alone, and the first one is due now.
setTimeout(hydrate, STATS_POLL_MS);
