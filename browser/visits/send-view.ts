import { VIEW_PATH } from '#contract/limits.ts';
import type { ViewBody } from '#contract/view.schema.ts';
import { afterFirstPaint } from '../idle.ts';
import { hasOptedOut, isInternal } from '../opt-out.ts';

/** A view is brief if the visitor leaves within this time and without an input. */
const BRIEF_MS = 1000;

/**
 * Sends the page view to the server after the first paint. It does not wait for the page's module,
 * so that visitors who leave early count too.
 *
 * If the request fails, it is sent again when the visitor leaves or returns to the tab. If the view
 * is brief, it is sent again with `is_brief`.
 */
export function sendView(view: Omit<ViewBody, 'is_internal' | 'is_brief' | 'timestamp'>): void {
  let isSent = false;
  let isBrief = true;
  let timestamp: string;
  const send = (pagehide?: Event) => {
    const is_brief = pagehide && isBrief && !navigator.userActivation?.hasBeenActive;
    // The opt-out is read only now, because the first read of localStorage would delay the paint.
    if ((isSent && !is_brief) || hasOptedOut()) return;
    isSent = true;
    fetch(VIEW_PATH, {
      method: 'POST',
      keepalive: true,
      body: JSON.stringify({ ...view, timestamp, is_internal: isInternal(), is_brief }),
    }).then(
      (answer) => {
        // A body that is not read would keep the connection open.
        void answer.body?.cancel();
        isSent = answer.ok;
      },
      () => {
        isSent = false;
      },
    );
  };
  /**
   * Counts the view once the page is visible. A tab in the background is not, nor a prerendered
   * page.
   */
  const onShown = () => {
    if (document.hidden) return;
    timestamp ??= new Date().toISOString();
    addEventListener('pagehide', send);
    setTimeout(() => {
      isBrief = false;
    }, BRIEF_MS);
    // The request waits for the paint, which it would delay.
    afterFirstPaint(send);
  };
  document.addEventListener('visibilitychange', onShown);
  onShown();
}
