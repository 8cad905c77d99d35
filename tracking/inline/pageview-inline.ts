/**
 * The inline script that counts the visit: `$pageview`, once the page has been seen, in PostHog's own wire format and
 * without posthog-js. A visitor who leaves before any external script has come is counted like everybody else.
 *
 * It stands after the stub and the hero, and only in a site with a PostHog key.
 */

import { deviceStorage } from '#browser/device-storage.ts';
import { hasOptedOut } from '#browser/opt-out.ts';
import { apiUrl, BEACON_CONTENT_TYPE } from '#contract/api-url.ts';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Capture } from '../clicks/capture.ts';
import { asksForPrivacy } from '../posthog/consent.ts';
import { wireBody } from '../posthog/posthog-wire.ts';

/** Put in by the build. */
declare const POSTHOG_KEY: string;

function countVisit(capture: Capture): void {
  const { ref, visitId, userAgent } = capture;
  let giveUp = () => {};
  capture.uncounted = new Promise((resolve) => {
    giveUp = resolve;
  });
  let isSent = false;
  const send = () => {
    // Only now: the first touch of the storage makes the browser fetch it, and would hold back the paint.
    if (isSent || hasOptedOut(deviceStorage())) return;
    isSent = true;
    const now = Date.now();
    const properties = { referrer: ref, visit_id: visitId };
    // The visit's own id, so that whoever sends it again is counted once.
    const events = [{ uuid: visitId, event: '$pageview' as const, properties, at: now }];
    const context = { apiKey: POSTHOG_KEY, visitId, page: new URL(location.href), userAgent };
    fetch(apiUrl(`${POSTHOG_PROXY_PATH}/e/`), {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': BEACON_CONTENT_TYPE },
      body: wireBody(events, context, now),
    }).then((answer) => {
      // A body that nobody reads keeps the request open.
      void answer.body?.cancel();
      if (!answer.ok) giveUp();
    }, giveUp);
  };
  /** A tab in the background, or a page rendered ahead of time, has not been seen yet. */
  const onShown = () => {
    if (document.visibilityState === 'hidden') return;
    addEventListener('pagehide', send);
    // After the paint, which it must not delay.
    requestAnimationFrame(() => setTimeout(send));
  };
  document.addEventListener('visibilitychange', onShown);
  onShown();
}

if (window.ctaCapture && !asksForPrivacy(navigator)) countVisit(window.ctaCapture);
