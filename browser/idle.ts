/** Defers work, so that it delays neither the first paint nor the response to an input. */

/** Timeout of `requestIdleCallback`: the work runs by then even if the page is never idle. */
const IDLE_TIMEOUT_MS = 1000;
/** Delay of the timer that replaces `requestIdleCallback` in Safari: it draws some frames first. */
const FALLBACK_DELAY_MS = 200;
/**
 * The page counts as painted after this time, for browsers that hide paint timing to prevent
 * fingerprinting.
 */
const SURELY_PAINTED_MS = 3000;
/** Events that only a visitor causes. */
const INPUT_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin', 'touchstart'];

/**
 * Resolves in a new task. A long job awaits it between its steps, so that the browser can respond
 * to inputs and paint in between.
 */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Calls back twice: at the First Contentful Paint, and after SURELY_PAINTED_MS. The second call is
 * for browsers that report no paint, and for a tab that is in the background by then.
 */
export function afterFirstPaint(act: () => void): void {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint')[0]) act();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(act, SURELY_PAINTED_MS);
}

/** Runs the callback in the browser's next idle period, or after a second at the latest. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: IDLE_TIMEOUT_MS });
  else setTimeout(act, FALLBACK_DELAY_MS);
}

/**
 * Runs the callback once, in the first idle period after the visitor's first input. An input before
 * this script loaded counts too.
 */
export function whenInteracted(act: () => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  const onInput = () => {
    if (signal.aborted) return;
    listening.abort();
    whenIdle(act);
  };
  for (const type of INPUT_EVENTS) {
    addEventListener(type, onInput, { signal, passive: true, capture: true });
  }
  // The check waits for an idle period, because reading the scroll position forces a layout.
  whenIdle(() => {
    if (hasInteracted()) onInput();
  });
}

/** Whether the visitor has scrolled, focused or pressed something before this script loaded. */
function hasInteracted(): boolean {
  const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
  return hasFocus || scrollY > 0 || navigator.userActivation?.hasBeenActive === true;
}
