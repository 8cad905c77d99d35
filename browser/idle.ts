/** Runs work when it delays neither the first paint nor the answer to an input. */

/** The longest delay in milliseconds, for pages that are never idle. */
const TIMEOUT_MS = 1000;
/**
 * Safari has no `requestIdleCallback`. A timer of this length lets it draw the next frames first.
 * Milliseconds.
 */
const WITHOUT_IDLE_MS = 200;
/** Events that only a visitor causes. */
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin', 'touchstart'];

/** Ends the running task, so that the browser can answer input and paint before the next step. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Runs the callback during the browser's next idle period. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: TIMEOUT_MS });
  else setTimeout(act, WITHOUT_IDLE_MS);
}

/**
 * Runs the callback once, in the first idle period after the visitor's first input, which may be in
 * the past.
 */
export function whenInteracted(act: () => void): void {
  const listening = new AbortController();
  const { signal } = listening;
  const onInput = () => {
    if (signal.aborted) return;
    listening.abort();
    whenIdle(act);
  };
  for (const type of INPUTS) {
    addEventListener(type, onInput, { signal, passive: true, capture: true });
  }
  // Idle, because reading the scroll position makes the browser lay out the page.
  whenIdle(() => {
    if (hasInteracted()) onInput();
  });
}

/** Whether the visitor acted before the page's module loaded. */
function hasInteracted(): boolean {
  const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
  return hasFocus || scrollY > 0 || navigator.userActivation?.hasBeenActive === true;
}
