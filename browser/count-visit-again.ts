import { hasOptedOut } from '#browser/opt-out.ts';
import { POSTHOG_PROXY_PATH } from '#contract/limits.ts';
import type { Capture } from './clicks/capture.ts';
import { visitFacts, wireBody } from './posthog/posthog-wire.ts';

/** Sends `$pageview` once more, on a page without posthog-js, if the inline script could not (`capture.uncounted`). */
export function countVisitAgain(apiKey: string | null, capture: Capture): void {
  capture.uncounted?.then(() => {
    if (hasOptedOut()) return;
    const view = {
      uuid: capture.visitId,
      event: '$pageview',
      properties: {},
      at: Date.now(),
    } as const;
    const body = wireBody(apiKey, [view], visitFacts(capture));
    const url = `${POSTHOG_PROXY_PATH}/e/`;
    navigator.sendBeacon(url, new Blob([body], { type: 'application/json' }));
  });
}
