import { VIEW_PATH } from '#contract/limits.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { hasOptedOut, isInternal } from '../opt-out.ts';

/** Fallback in milliseconds for browsers that hide paint timing, as some do against fingerprinting. */
const SURELY_PAINTED_MS = 3000;

/**
 * Sends the page view to our server, after the visitor has seen the page. So it also counts
 * visitors who leave before any external script has arrived. A request that fails is sent again
 * when the visitor leaves, or returns to the tab.
 */
export function sendView(view: Omit<ViewBody, 'is_internal'>): void {
  let isSent = false;
  const giveUp = () => {
    isSent = false;
  };
  const send = () => {
    // Not earlier, because the browser fetches the storage on its first use, and that would delay the paint.
    if (isSent || hasOptedOut()) return;
    isSent = true;
    fetch(VIEW_PATH, {
      method: 'POST',
      keepalive: true,
      body: JSON.stringify({ ...view, is_internal: isInternal() }),
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

/**
 * Resolves once the browser reports that the page's first content is on the screen. Browsers paint no tab in the background, but
 * the fallback resolves there too.
 */
const firstPaint = () =>
  new Promise<void>((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint')[0]) resolve();
    }).observe({ type: 'paint', buffered: true });
    setTimeout(resolve, SURELY_PAINTED_MS);
  });
