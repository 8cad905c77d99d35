/** The half of the pipeline that every counted page needs: takes over from the inline stub, and delivers clicks to our server. */

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
 */
export function startDelivery(
  ipLookupUrl: string | null,
  capture: Capture,
  companion?: Companion,
): void {
  const lookupUrl = asksForPrivacy(navigator) ? null : ipLookupUrl;
  const ipLookup = createIpLookup(lookupUrl, fetch.bind(window), hasOptedOut);
  const delivery = openDelivery(ipLookup);
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

  listenForIntent(ipLookup);
  listenToPage(flush, () => follow(hasOptedOut()));
  takeOver(capture, delivery, companion);
  onOptOutChange(follow);
  follow(hasOptedOut());
}

function openDelivery(ipLookup: IpLookup): Delivery {
  return createDelivery({
    outbox: createOutbox(deviceStorage(), Date.now),
    ipLookup,
    fetch: fetch.bind(window),
    sendBeacon,
    locks: navigator.locks,
    isLoaded: () => document.readyState === 'complete',
    hasOptedOut,
    now: Date.now,
    random: Math.random,
  });
}

/** Null where the browser refuses storage: reading the property can throw. */
function deviceStorage(): Storage | null {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** Sends JSON that outlives the page. @returns false when the browser does not take it */
export const sendBeacon = (url: string, json: string): boolean =>
  navigator.sendBeacon(url, new Blob([json], { type: 'application/json' }));

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
 * @param onReturn checks the opt-out again, because a page in the back-forward cache gets no event from another tab
 */
function listenToPage(flush: () => void, onReturn: () => void): void {
  addEventListener('pagehide', flush);
  addEventListener('pageshow', (event) => event.persisted && onReturn());
  addEventListener('online', onReturn);
  document.addEventListener('visibilitychange', () =>
    document.visibilityState === 'hidden' ? flush() : onReturn(),
  );
}

function takeOver(capture: Capture, delivery: Delivery, companion: Companion | undefined): void {
  capture.onClick = (click: Click) => {
    delivery.accept(click);
    companion?.onClick(click);
  };
  for (const click of capture.waiting.splice(0)) capture.onClick(click);
}
