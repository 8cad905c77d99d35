const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin', 'touchstart'];

/** Calls once, when the browser is idle after the visitor's first sign of life. */
export function whenInteracted(act: () => void, signal: AbortSignal): void {
  const seen = new AbortController();
  const onSign = () => {
    seen.abort();
    if (!signal.aborted) whenIdle(act);
  };
  for (const sign of SIGNS) {
    addEventListener(sign, onSign, {
      signal: AbortSignal.any([signal, seen.signal]),
      passive: true,
      capture: true,
    });
  }
}

/** Safari has no requestIdleCallback; a timer lets the current frame through there. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 2000 });
  else setTimeout(act, 200);
}
