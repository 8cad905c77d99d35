/** The landing page's pipeline: delivers clicks to our server (start-delivery.ts), and sends events to PostHog. */

import { nextTask, whenInteracted } from '#browser/idle.ts';
import { hasOptedOut } from '#browser/opt-out.ts';
import { sendTracksTo } from '#browser/track.ts';
import { labelOf } from '#contract/cta.ts';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Capture } from './clicks/capture.ts';
import { newId } from './clicks/uuid-v7.ts';
import { countVisitAgain } from './count-visit-again.ts';
import { type Analytics, createAnalytics, NO_ANALYTICS } from './posthog/analytics.ts';
import { asksForPrivacy } from './posthog/consent.ts';
import { visitFacts, wireBody } from './posthog/posthog-wire.ts';
import { watchSections } from './posthog/section-views.ts';
import { type Companion, sendBeacon, startDelivery } from './start-delivery.ts';

export interface TrackingConfig {
  posthogKey: string | null;
  ipLookupUrl: string | null;
}

/** @param capture the stub's data in the window */
export function startTracking({ posthogKey, ipLookupUrl }: TrackingConfig, capture: Capture): void {
  const analytics =
    posthogKey && !asksForPrivacy(navigator) ? openAnalytics(posthogKey, capture) : NO_ANALYTICS;
  if (!posthogKey) countVisitAgain(null, capture);
  followPlan(analytics, capture);
  startDelivery(ipLookupUrl, capture, clicksTo(analytics));
}

const clicksTo = (analytics: Analytics): Companion => ({
  onClick(click) {
    analytics.track(
      'cta_click',
      { category: 'CTA', label: labelOf(click.event), value: 1, event_id: click.id },
      // The time of the click's row, because PostHog merges a repeated event only if its time is equal.
      { uuid: click.id, at: Date.parse(click.timestamp) },
    );
    analytics.load();
  },
  flush: analytics.flush,
  setOff: analytics.setOff,
});

function openAnalytics(apiKey: string, capture: Capture): Analytics {
  const apiHost = new URL(POSTHOG_PROXY_PATH, location.href).href;
  return createAnalytics({
    load: async () => {
      const { startPosthog } = await import('./posthog/posthog.ts');
      await nextTask();
      return startPosthog({ apiKey, apiHost, facts: visitFacts(capture) });
    },
    sendDirectly(events) {
      return sendBeacon(`${apiHost}/e/`, wireBody(apiKey, events, visitFacts(capture)));
    },
    isHidden: () => document.visibilityState === 'hidden',
    hasOptedOut,
    now: Date.now,
    newId,
  });
}

/** The tracking plan (contract/events.ts), all but the clicks. */
function followPlan(analytics: Analytics, capture: Capture): void {
  if (analytics === NO_ANALYTICS) return;
  sendTracksTo(analytics);
  capture.uncounted?.then(() => analytics.track('$pageview', {}, { uuid: capture.visitId }));
  whenInteracted(() => {
    analytics.load();
    import('./posthog/web-vitals.ts').then(
      ({ watchWebVitals }) => watchWebVitals((vital) => analytics.track('web_vital', vital)),
      () => {}, // Without a network, this visit reports no web vitals.
    );
  });
  document
    .querySelector('video')
    ?.addEventListener('play', () => analytics.track('video_played', {}), { once: true });
  watchSections(document.querySelectorAll('main section[aria-labelledby]'), (section) =>
    analytics.track('section_viewed', { section }),
  );
}
