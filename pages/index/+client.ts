/**
 * The module of the landing page and of every help page: delivers the clicks, then starts the
 * page's behaviours. On the landing page, the first input loads the hero's statistics. After it, the
 * switch of the opt-out and the form load when they come near the view. React loads with the form,
 * or when a toast or a tooltip is needed.
 */
import { site } from 'virtual:site';
import { whenInteracted } from '#browser/idle.ts';
import { asksForPrivacy, takeTeamParameter } from '#browser/opt-out.ts';
import { drawRoad } from '#browser/page/draw-road.ts';
import { followScroll } from '#browser/page/follow-scroll.ts';
import { hideBrokenImages } from '#browser/page/hide-broken-images.ts';
import { keepFragment } from '#browser/page/keep-fragment.ts';
import { loadImages } from '#browser/page/load-images.ts';
import { loadOnce } from '#browser/page/load-once.ts';
import { revealOnce } from '#browser/page/reveal-once.ts';
import { showCaptions } from '#browser/page/show-captions.ts';
import { whenNear } from '#browser/page/when-near.ts';
import { whenScrolling } from '#browser/page/when-scrolling.ts';
import { startDelivery } from '#browser/start-delivery.ts';
import { startTracking } from '#browser/start-tracking.ts';
import { STATS_POLL_MS } from '#contract/limits.ts';

/** The place of the switch, in the footer of the landing page. Null on help pages. */
const optOut = document.querySelector<HTMLElement>('#opt-out');
const stub = window.ctaStub;
if (stub) {
  startDelivery(site.ipLookupUrl, stub);
  if (optOut && takeTeamParameter(stub.query)) {
    const showTeamSwitch = loadOnce(async () =>
      (await import('#components/islands/show-team-switch.tsx')).showTeamSwitch(),
    );
    showTeamSwitch();
  }
}
followScroll(document.querySelector<HTMLElement>('[data-progress]'));
whenScrolling(() => {
  revealOnce(document.querySelectorAll<HTMLElement>('[data-reveal]'));
  drawRoad(document.querySelectorAll<SVGElement>('.line'));
});
keepFragment(document.querySelectorAll<HTMLAnchorElement>('a[hreflang]'));
hideBrokenImages(document.images);
loadImages(document.images);
showCaptions(document.querySelector('video'));

const stats = document.querySelector<HTMLElement>('[data-stats]');
if (stats) {
  const pollStats = loadOnce(() =>
    import('#components/hero-stats.ts').then(({ showHeroStats }) => showHeroStats(stats)),
  );
  whenInteracted(pollStats);
  // Without an input, the statistics load after the time of one poll.
  setTimeout(pollStats, STATS_POLL_MS);
}
if (optOut) {
  const showOptOut = loadOnce(async () =>
    (await import('#components/opt-out-switch.ts')).showOptOutSwitch(optOut),
  );
  const hydrate = loadOnce(async () => {
    // Two chunks that load in parallel, so that each is evaluated in a short task of its own.
    const [{ hydrateIslands }, { hydrateRoot }] = await Promise.all([
      import('#components/islands/hydrate-islands.tsx'),
      import('#components/islands/react-root.ts'),
    ]);
    hydrateIslands(hydrateRoot);
  });
  whenInteracted(() => {
    whenNear([optOut], showOptOut);
    whenNear(document.querySelectorAll('[data-island]'), hydrate);
  });
}
// Tracking starts last, so that an error in it breaks neither clicks nor the page. Help pages,
// which have no switch, load no posthog-js: the server makes the events of their clicks.
if (stub && optOut && site.posthogKey && !asksForPrivacy()) startTracking(site.posthogKey, stub);
