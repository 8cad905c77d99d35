/**
 * The script of every counted page: delivers the clicks, then starts the page's behaviours. On the landing page it loads
 * React once the visitor interacts.
 */
import { site } from 'virtual:site';
import { whenInteracted } from '#browser/idle.ts';
import { asksForPrivacy, hideMark } from '#browser/opt-out.ts';
import { drawRoad } from '#browser/page/draw-road.ts';
import { followScroll } from '#browser/page/follow-scroll.ts';
import { hideBrokenImages } from '#browser/page/hide-broken-images.ts';
import { keepPlace } from '#browser/page/keep-place.ts';
import { loadImages } from '#browser/page/load-images.ts';
import { revealOnce } from '#browser/page/reveal-once.ts';
import { showCaptions } from '#browser/page/show-captions.ts';
import { whenScrolling } from '#browser/page/when-scrolling.ts';
import { startDelivery } from '#browser/start-delivery.ts';
import { startTracking } from '#browser/start-tracking.ts';
import { STATS_POLL_MS } from '#contract/limits.ts';

/** Help pages have no React, and no posthog-js: the server makes their clicks' events from the rows. */
const hasIslands = document.querySelector('[data-island]') !== null;
const stub = window.ctaStub;
if (stub) {
  hideMark(stub.query);
  if (hasIslands && site.posthogKey && !asksForPrivacy()) startTracking(site.posthogKey, stub);
  startDelivery(site.ipLookupUrl, stub);
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
  Promise.all([
    import('#components/islands/hydrate-islands.tsx'),
    import('#components/islands/react-root.ts'),
  ]).then(
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
