/**
 * Follows the tracking plan (contract/events.ts) on the landing page, all but the clicks and the
 * form.
 */
import type { StubData } from './clicks/stub-data.ts';
import { nextTask, whenInteracted } from './idle.ts';
import { pageStore } from './page-store.ts';
import { loadPosthog, startQueue } from './posthog/event-queue.ts';
import { visitFacts } from './posthog/posthog-wire.ts';
import { whenLeft } from './posthog/when-left.ts';
import { track } from './track.ts';

/**
 * A section counts as viewed after this time with half of it in view, or with half of the view
 * filled by it.
 */
const LOOKED_AT_MS = 1000;
const HALF = 0.5;

/** @param stub the stub's data in the window */
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
      () => {}, // Without a network, this page load reports none.
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
 * Reports each section once.
 *
 * @param sections elements with a heading, whose anchor names them in the event
 */
function watchSections(sections: Iterable<Element>): void {
  const timers = new Map<Element, ReturnType<typeof setTimeout>>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        clearTimeout(timers.get(entry.target));
        if (!isHalfInView(entry)) continue;
        const viewed = () => {
          observer.unobserve(entry.target);
          track('section_viewed', { section: entry.target.querySelector(':is(h1, h2)')?.id ?? '' });
        };
        timers.set(entry.target, setTimeout(viewed, LOOKED_AT_MS));
      }
    },
    { threshold: [0, 0.1, 0.2, 0.3, 0.4, HALF] },
  );
  for (const section of sections) observer.observe(section);
}

const isHalfInView = (entry: IntersectionObserverEntry): boolean =>
  entry.intersectionRatio >= HALF ||
  entry.intersectionRect.height >= HALF * (entry.rootBounds?.height ?? Number.POSITIVE_INFINITY);
