/**
 * Tracks the events of the landing page that contract/events.ts lists, except those of clicks
 * (browser/start-delivery.ts) and of the registration form.
 */
import type { StubData } from './clicks/stub-data.ts';
import { nextTask, whenInteracted } from './idle.ts';
import { pageStore } from './page-store.ts';
import { loadPosthog, startQueue } from './posthog/event-queue.ts';
import { visitFacts } from './posthog/posthog-wire.ts';
import { whenLeft } from './posthog/when-left.ts';
import { track } from './track.ts';

/** A section counts as viewed once it has been half in view for so long. */
const VIEWED_AFTER_MS = 1000;
const HALF = 0.5;

/**
 * Starts PostHog's queue, and tracks web vitals, leaving the page, the film's start and each viewed
 * section.
 *
 * @param apiKey public key of the PostHog project
 * @param stub `window.ctaStub`
 */
export function startTracking(apiKey: string, stub: StubData): void {
  const load = async () => {
    const { startPosthog } = await import('./posthog/posthog.ts');
    await nextTask();
    return startPosthog(apiKey, visitFacts(stub, pageStore.getState().ref));
  };
  startQueue({ apiKey, stub, load });
  whenInteracted(() => {
    void loadPosthog();
    import('./posthog/report-web-vitals.ts').then(
      ({ reportWebVitals }) =>
        reportWebVitals({ whenLeft, report: (values) => track('$web_vitals', values) }),
      () => {}, // The module did not load. This page load has no event of its web vitals.
    );
  });
  whenLeft((shownMs) =>
    track('$pageleave', {
      $prev_pageview_duration: shownMs / 1000,
      $prev_pageview_pathname: location.pathname,
    }),
  );
  document
    .querySelector('video')
    ?.addEventListener('play', () => track('video_played', {}), { once: true });
  watchSections(document.querySelectorAll('main > section'));
}

/**
 * Tracks once for each section that the visitor has viewed it.
 *
 * @param sections elements with a heading. The heading's id is the section's name in the event
 */
function watchSections(sections: Iterable<Element>): void {
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        clearTimeout(timers.get(entry.target));
        if (!isHalfInView(entry)) continue;
        const trackView = () => {
          observer.unobserve(entry.target);
          track('section_viewed', { section: entry.target.querySelector(':is(h1, h2)')?.id ?? '' });
        };
        timers.set(entry.target, setTimeout(trackView, VIEWED_AFTER_MS));
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, HALF] },
  );
  for (const section of sections) observer.observe(section);
}

/** Whether half of the section is in view, or the section fills half of the view. */
const isHalfInView = (entry: IntersectionObserverEntry): boolean =>
  entry.intersectionRatio >= HALF ||
  entry.intersectionRect.height >= HALF * (entry.rootBounds?.height ?? Number.POSITIVE_INFINITY);
