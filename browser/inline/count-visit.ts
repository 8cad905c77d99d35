import { deviceStorage } from '#browser/device-storage.ts';
import { firstPaint } from '#browser/first-paint.ts';
import { hasOptedOut } from '#browser/opt-out.ts';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Capture } from '../clicks/capture.ts';
import { visitFacts } from '../posthog/posthog-wire.ts';

/**
 * Sends `$pageview` in PostHog's own wire format, without posthog-js, after the visitor has seen the page. So it also
 * counts visitors who leave before any external script has arrived. Our server stores the visit.
 *
 * @param apiKey null: there is no PostHog
 * @param capture `uncounted` is set: it resolves when the request has failed, and the pipeline has to send the event
 */
export function countVisit(apiKey: string | null, capture: Capture): void {
  let giveUp = () => {};
  capture.uncounted = new Promise((resolve) => {
    giveUp = resolve;
  });
  let isSent = false;
  const send = () => {
    // Not earlier, because the browser fetches the storage on its first use, and that would delay the paint.
    if (isSent || hasOptedOut(deviceStorage())) return;
    isSent = true;
    fetch(`${POSTHOG_PROXY_PATH}/e/`, {
      method: 'POST',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        api_key: apiKey,
        // The visit's own id, so that PostHog counts a repeated event once.
        uuid: capture.visitId,
        event: '$pageview',
        timestamp: new Date(),
        properties: visitFacts(capture),
      }),
    }).then((answer) => {
      // An unread body keeps the request open.
      void answer.body?.cancel();
      if (!answer.ok) giveUp();
    }, giveUp);
  };
  /** The visitor has not seen a tab in the background, or a page that the browser rendered ahead of time. */
  const onShown = () => {
    if (document.hidden) return;
    addEventListener('pagehide', send);
    // After the paint, so that it does not delay it.
    firstPaint().then(send);
  };
  document.addEventListener('visibilitychange', onShown);
  onShown();
}
