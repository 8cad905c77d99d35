/** The half of the pipeline that every counted page needs: takes over from the inline stub, and delivers clicks to our server. */

import { deviceStorage } from '#browser/device-storage.ts';
import { hasOptedOut, onOptOutChange } from '#browser/opt-out.ts';
import type { Capture } from './clicks/capture.ts';
import { createDelivery, type Delivery } from './clicks/deliver.ts';
import { createIpLookup, type IpLookup } from './clicks/ip-lookup.ts';
import type { Click } from './clicks/make-click.ts';
import { createOutbox } from './clicks/outbox.ts';
import { asksForPrivacy } from './posthog/consent.ts';

const CTA_LINK = 'a[data-cta]';

/** Gets each click too, and follows the page's life cycle and the opt-out. */
export interface Companion {
  onClick(click: Click): void;
  /** The page may close. */
  flush(): void;
  setOff(isOff: boolean): void;
}

/**
 * @param ipLookupUrl null: no look-up
 * @param capture the stub's data in the window
 * @returns stop(), which removes every listener; captured clicks wait for the next start
 */
export function startDelivery(
  ipLookupUrl: string | null,
  capture: Capture,
  companion?: Companion,
): () => void {
  const storage = deviceStorage();
  const optedOut = () => hasOptedOut(storage);
  const lookupUrl = asksForPrivacy(navigator) ? null : ipLookupUrl;
  const ipLookup = createIpLookup(lookupUrl, fetch.bind(window), optedOut);
  const delivery = openDelivery(storage, ipLookup, optedOut);
  /** Drops everything that waits if the visitor has opted out. Otherwise sends it. */
  const follow = (off: boolean) => {
    companion?.setOff(off);
    if (off) delivery.discard();
    else delivery.retryNow();
  };
  const flush = () => {
    delivery.flush();
    companion?.flush();
  };

  const scope = new AbortController();
  listenForIntent(ipLookup, scope.signal);
  listenToPage(flush, () => follow(optedOut()), scope.signal);
  takeOver(capture, delivery, companion);
  const stopFollowing = onOptOutChange(follow);
  follow(optedOut());

  return () => {
    delete capture.onClick;
    scope.abort();
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

/** Sends JSON that outlives the page. @returns false when the browser does not take it */
export const sendBeacon = (url: string, json: string): boolean =>
  navigator.sendBeacon(url, new Blob([json], { type: 'application/json' }));

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
function listenToPage(flush: () => void, onReturn: () => void, signal: AbortSignal): void {
  addEventListener('pagehide', flush, { signal });
  addEventListener('pageshow', (event) => event.persisted && onReturn(), { signal });
  addEventListener('online', onReturn, { signal });
  document.addEventListener(
    'visibilitychange',
    () => (document.visibilityState === 'hidden' ? flush() : onReturn()),
    { signal },
  );
}

function takeOver(capture: Capture, delivery: Delivery, companion: Companion | undefined): void {
  capture.onClick = (click: Click) => {
    delivery.accept(click);
    companion?.onClick(click);
  };
  for (const click of capture.waiting.splice(0)) capture.onClick(click);
}
