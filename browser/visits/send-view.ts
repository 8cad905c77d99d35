import { VIEW_PATH } from '#contract/limits.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { hasOptedOut, isInternal } from '../opt-out.ts';

/**
 * Fallback in milliseconds for browsers that hide paint timing, as some do against fingerprinting.
 */
const SURELY_PAINTED_MS = 3000;

/** A view that ends earlier, without an input, is brief. Milliseconds. */
const BRIEF_MS = 1000;

/**
 * Sends the page view to our server, after the visitor has seen the page. So it also counts
 * visitors who leave before any external script has arrived. A request that fails is sent again
 * when the visitor leaves, or returns to the tab. A brief view is sent again, with that mark.
 */
export function sendView(view: Omit<ViewBody, 'is_internal' | 'is_brief' | 'timestamp'>): void {
  let isSent = false;
  let isBrief = true;
  let timestamp: string;
  const send = (pagehide?: Event) => {
    const is_brief = pagehide && isBrief && !navigator.userActivation?.hasBeenActive;
    // Not earlier, because the browser fetches the storage on its first use, and that would delay
    // the paint.
    if ((isSent && !is_brief) || hasOptedOut()) return;
    isSent = true;
    fetch(VIEW_PATH, {
      method: 'POST',
      keepalive: true,
      body: JSON.stringify({ ...view, timestamp, is_internal: isInternal(), is_brief }),
    }).then(
      (answer) => {
        // An unread body keeps the request open.
        void answer.body?.cancel();
        isSent = answer.ok;
      },
      () => {
        isSent = false;
      },
    );
  };
  /**
   * The visitor has not seen a tab in the background, or a page that the browser rendered ahead of
   * time.
   */
  const onShown = () => {
    if (document.hidden) return;
    timestamp ??= new Date().toISOString();
    addEventListener('pagehide', send);
    setTimeout(() => {
      isBrief = false;
    }, BRIEF_MS);
    // After the paint, so that it does not delay it.
    afterFirstPaint(send);
  };
  document.addEventListener('visibilitychange', onShown);
  onShown();
}

/**
 * Calls back once the browser reports that the page's first content is on the screen, and again
 * after SURELY_PAINTED_MS, because browsers paint no tab in the background.
 */
function afterFirstPaint(act: () => void): void {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint')[0]) act();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(act, SURELY_PAINTED_MS);
}
