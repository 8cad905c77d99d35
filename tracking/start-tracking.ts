/**
 * The pipeline: takes over from the inline stub, delivers clicks to our server, and sends events to PostHog.
 * This is the one public function of the folder.
 */

import { deviceStorage } from '#browser/device-storage.ts';
import { nextTask } from '#browser/next-task.ts';
import { hasOptedOut, onOptOutChange } from '#browser/opt-out.ts';
import { onUiEvent } from '#browser/ui-events.ts';
import { whenInteracted } from '#browser/when-interacted.ts';
import { apiUrl, BEACON_CONTENT_TYPE } from '#contract/api-url.ts';
import { labelOf } from '#contract/cta.ts';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Capture } from './clicks/capture.ts';
import { createDelivery, type Delivery } from './clicks/deliver.ts';
import { createIpLookup, type IpLookup } from './clicks/ip-lookup.ts';
import type { Click } from './clicks/make-click.ts';
import { createOutbox } from './clicks/outbox.ts';
import { newId } from './clicks/uuid-v7.ts';
import { type Analytics, createAnalytics, NO_ANALYTICS } from './posthog/analytics.ts';
import { asksForPrivacy } from './posthog/consent.ts';
import { visitFacts, wireBody } from './posthog/posthog-wire.ts';
import { watchSections } from './posthog/section-views.ts';

const CTA_LINK = 'a[data-cta]';

export interface TrackingConfig {
  posthogKey: string | null;
  ipLookupUrl: string | null;
}

/**
 * @param capture the stub's data in the window
 * @returns stop(), which removes every listener; captured clicks wait for the next start
 */
export function startTracking(config: TrackingConfig, capture: Capture): () => void {
  const storage = deviceStorage();
  const optedOut = () => hasOptedOut(storage);
  const isPrivate = asksForPrivacy(navigator);
  const ipLookup = createIpLookup(
    isPrivate ? null : config.ipLookupUrl,
    fetch.bind(window),
    optedOut,
  );
  const analytics =
    config.posthogKey && !isPrivate
      ? openAnalytics(config.posthogKey, capture, optedOut)
      : NO_ANALYTICS;
  const delivery = openDelivery(storage, ipLookup, optedOut);
  /** Drops everything that waits if the visitor has opted out. Otherwise sends it. */
  const follow = (off: boolean) => {
    analytics.setOff(off);
    if (off) delivery.discard();
    else delivery.retryNow();
  };

  const scope = new AbortController();
  listenForIntent(ipLookup, scope.signal);
  listenToPage(delivery, analytics, () => follow(optedOut()), scope.signal);
  const stopEvents = followPlan(analytics, capture, scope.signal);
  takeOver(capture, delivery, analytics);
  const stopFollowing = onOptOutChange(follow);
  follow(optedOut());

  return () => {
    delete capture.onClick;
    scope.abort();
    stopEvents();
    stopFollowing();
    delivery.stop();
  };
}

function openDelivery(
  storage: Storage | null,
  ipLookup: IpLookup,
  optedOut: () => boolean,
): Delivery {
  return createDelivery({
    outbox: createOutbox(storage, Date.now),
    ipLookup,
    fetch: fetch.bind(window),
    sendBeacon,
    locks: navigator.locks,
    isLoaded: () => document.readyState === 'complete',
    hasOptedOut: optedOut,
    now: Date.now,
    random: Math.random,
  });
}

const sendBeacon = (url: string, json: string): boolean =>
  navigator.sendBeacon(url, new Blob([json], { type: BEACON_CONTENT_TYPE }));

function openAnalytics(apiKey: string, capture: Capture, optedOut: () => boolean): Analytics {
  const apiHost = new URL(apiUrl(POSTHOG_PROXY_PATH), location.href).href;
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
    hasOptedOut: optedOut,
    now: Date.now,
    newId,
  });
}

/** Starts the look-up on the first sign that the visitor may use a call to action. */
function listenForIntent(ipLookup: IpLookup, signal: AbortSignal): void {
  const onIntent = (event: Event) => {
    if ((event.target as Element).closest?.(CTA_LINK)) ipLookup.start();
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, onIntent, { signal, passive: true });
  }
}

/**
 * Listens to the page's life cycle: it is hidden, is shown again, or is online again.
 *
 * @param onReturn checks the opt-out again, because a page in the back-forward cache gets no event from another tab
 */
function listenToPage(
  delivery: Delivery,
  analytics: Analytics,
  onReturn: () => void,
  signal: AbortSignal,
): void {
  const flush = () => {
    delivery.flush();
    analytics.flush();
  };
  addEventListener('pagehide', flush, { signal });
  addEventListener('pageshow', (event) => event.persisted && onReturn(), { signal });
  addEventListener('online', onReturn, { signal });
  document.addEventListener(
    'visibilitychange',
    () => (document.visibilityState === 'hidden' ? flush() : onReturn()),
    { signal },
  );
}

/** The tracking plan (contract/events.ts), all but the clicks. */
function followPlan(analytics: Analytics, capture: Capture, signal: AbortSignal): () => void {
  if (analytics === NO_ANALYTICS) return () => {};
  capture.uncounted?.then(() => analytics.track('$pageview', {}, { uuid: capture.visitId }));
  whenInteracted(() => {
    analytics.load();
    import('./posthog/web-vitals.ts').then(
      ({ watchWebVitals }) => watchWebVitals((vital) => analytics.track('web_vital', vital)),
      () => {}, // Without a network, this visit reports no web vitals.
    );
  }, signal);
  const stops = [
    watchSections(document.querySelectorAll('main section[aria-labelledby]'), (section) =>
      analytics.track('section_viewed', { section }),
    ),
    onUiEvent((uiEvent, properties) => analytics.track(uiEvent, properties)),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function takeOver(capture: Capture, delivery: Delivery, analytics: Analytics): void {
  capture.onClick = (click: Click) => {
    delivery.accept(click);
    analytics.track(
      'cta_click',
      { category: 'CTA', label: labelOf(click.event), value: 1, event_id: click.id },
      // The time of the line in the ledger, because PostHog merges a repeated event only if its time is equal.
      { uuid: click.id, at: Date.parse(click.timestamp) },
    );
    analytics.load();
  };
  for (const click of capture.waiting.splice(0)) capture.onClick(click);
}
