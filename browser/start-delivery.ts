/**
 * Takes over from the inline stub: delivers clicks to our server. Gives them to PostHog's queue
 * too, although `/k/e/` leaves such events out, because PostHog gets each click from its row.
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
 * @param ipLookupUrl null: no look-up
 * @param stub the stub's data in the window
 */
export function startDelivery(ipLookupUrl: string | null, stub: StubData): void {
  const lookupUrl = asksForPrivacy() ? null : ipLookupUrl;
  const ipLookup = createIpLookup(lookupUrl, fetch.bind(window), hasOptedOut);
  const delivery = openDelivery(ipLookup);
  /** Drops everything that waits if the visitor has opted out. Otherwise sends it. */
  const follow = (off: boolean) => {
    setTrackingOff(off);
    if (off) delivery.discard();
    else delivery.retryNow();
  };
  const flush = () => {
    delivery.flush();
    flushEvents();
  };

  listenForIntent(ipLookup);
  listenToPage(flush, () => follow(hasOptedOut()));
  takeOver(stub, delivery);
  onOptOutChange(follow);
  follow(hasOptedOut());
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

/** Starts the look-up on the first sign that the visitor may use a call to action. */
function listenForIntent(ipLookup: IpLookup): void {
  const onIntent = (event: Event) => {
    if ((event.target as Element).closest?.(CTA_LINK)) ipLookup.start();
  };
  for (const type of ['pointerover', 'focusin', 'touchstart']) {
    document.addEventListener(type, onIntent, { passive: true });
  }
}

/**
 * Listens to the page's life cycle: it is hidden, is shown again, or is online again.
 *
 * @param onReturn checks the opt-out again, because a page in the back-forward cache gets no event
 * from another tab
 */
function listenToPage(flush: () => void, onReturn: () => void): void {
  addEventListener('pagehide', flush);
  addEventListener('pageshow', (event) => event.persisted && onReturn());
  addEventListener('online', onReturn);
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? flush() : onReturn(),
  );
}

function takeOver(stub: StubData, delivery: Delivery): void {
  stub.onClick = (click: Click) => {
    delivery.accept(click);
    track(
      'cta_click',
      { category: 'CTA', label: labelOf(click.event), value: 1, event_id: click.id },
      // The time of the click's row, because PostHog merges a repeated event only if its time is
      // equal.
      { uuid: click.id, at: Date.parse(click.timestamp) },
    );
    void loadPosthog();
  };
  for (const click of stub.waiting.splice(0)) stub.onClick(click);
}
