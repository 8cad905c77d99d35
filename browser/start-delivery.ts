/**
 * Takes over the clicks from the inline stub, and delivers them to the server until it confirms
 * them. Each click also goes into PostHog's queue. The server drops that event at `/k/e/`, because
 * it makes PostHog's event of a click from the click's row.
 */
import { labelOf } from '#contract/cta.ts';
import { createDelivery, type Delivery } from './clicks/deliver.ts';
import { createIpLookup, type IpLookup } from './clicks/ip-lookup.ts';
import type { Click } from './clicks/make-click.ts';
import { createOutbox } from './clicks/outbox.ts';
import type { StubData } from './clicks/stub-data.ts';
import { asksForPrivacy, hasOptedOut, onOptOutChange } from './opt-out.ts';
import { flushEvents, loadPosthog, setTrackingOff } from './posthog/event-queue.ts';
import { sendBeacon } from './send-beacon.ts';
import { track } from './track.ts';
import { tryStorage } from './try-storage.ts';

const CTA_LINK = 'a[data-cta]';

/**
 * Starts the delivery, sends the clicks that wait in the outbox, and follows the page's life cycle
 * and the opt-out.
 *
 * @param ipLookupUrl URL of the public-IP service; null: there is no look-up
 * @param stub `window.ctaStub`
 */
export function startDelivery(ipLookupUrl: string | null, stub: StubData): void {
  const lookupUrl = asksForPrivacy() ? null : ipLookupUrl;
  const ipLookup = createIpLookup(lookupUrl, fetch.bind(window), hasOptedOut);
  const delivery = openDelivery(ipLookup);
  /** Drops all waiting clicks and events if the visitor has opted out; else sends the clicks. */
  const applyOptOut = (isOptedOut: boolean) => {
    setTrackingOff(isOptedOut);
    if (isOptedOut) delivery.discard();
    else delivery.retryNow();
  };
  const flush = () => {
    delivery.flush();
    flushEvents();
  };

  lookUpOnIntent(ipLookup);
  onPageLifecycle(flush, () => applyOptOut(hasOptedOut()));
  takeOverClicks(stub, delivery);
  onOptOutChange(applyOptOut);
  applyOptOut(hasOptedOut());
}

function openDelivery(ipLookup: IpLookup): Delivery {
  return createDelivery({
    outbox: createOutbox(tryStorage((storage) => storage) ?? null, Date.now),
    ipLookup,
    fetch: fetch.bind(window),
    sendBeacon,
    hasKeepalive: 'keepalive' in Request.prototype,
    locks: navigator.locks,
    isLoaded: () => document.readyState === 'complete',
    hasOptedOut,
    now: Date.now,
    random: Math.random,
  });
}

/** Looks up the IP address when the visitor first points at a call to action or focuses it. */
function lookUpOnIntent(ipLookup: IpLookup): void {
  const onIntent = (event: Event) => {
    if ((event.target as Element).closest?.(CTA_LINK)) ipLookup.start();
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, onIntent, { passive: true });
  }
}

/**
 * Listens to the events of the page's life cycle.
 *
 * @param flush called when the page is hidden, because it may never be shown again
 * @param onReturn called when the page is shown again, or the browser is online again. It reads the
 * opt-out anew: a page in the back-forward cache misses the storage events of other tabs
 */
function onPageLifecycle(flush: () => void, onReturn: () => void): void {
  addEventListener('pagehide', flush);
  addEventListener('pageshow', (event) => event.persisted && onReturn());
  addEventListener('online', onReturn);
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? flush() : onReturn(),
  );
}

/** Delivers every click from now on, and those that the stub has queued. */
function takeOverClicks(stub: StubData, delivery: Delivery): void {
  stub.onClick = (click: Click) => {
    delivery.accept(click);
    track(
      'cta_click',
      { category: 'CTA', label: labelOf(click.event), value: 1, event_id: click.id },
      // The id and time of the click's row: PostHog merges repeated events only if both are equal.
      { uuid: click.id, at: Date.parse(click.timestamp) },
    );
    void loadPosthog();
  };
  for (const click of stub.waiting.splice(0)) stub.onClick(click);
}
