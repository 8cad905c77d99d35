import { whenCalm } from './when-calm.ts';

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin', 'touchstart'];

/**
 * Calls once, in the first pause of `calmMs` milliseconds after the visitor's first sign of life, which may lie back
 * already, when the browser is idle.
 */
export function whenInteracted(act: () => void, calmMs: number, signal: AbortSignal): void {
  // Ends with the first sign or with the caller's signal. AbortSignal.any would say so, but is missing in Safari before
  // 17.4 and Chrome before 116.
  const listening = new AbortController();
  signal.addEventListener('abort', () => listening.abort());
  const onSign = async () => {
    if (listening.signal.aborted) return;
    listening.abort();
    await whenCalm(calmMs);
    if (!signal.aborted) whenIdle(act);
  };
  for (const sign of SIGNS) {
    addEventListener(sign, onSign, { signal: listening.signal, passive: true, capture: true });
  }
  // Idle: to ask for the place makes the browser lay out the page, unless that is done.
  whenIdle(() => {
    if (hasBegun()) onSign();
  });
}

/** Whether the visitor was quicker than the page's module, which comes after the first paint. */
function hasBegun(): boolean {
  const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
  return hasFocus || scrollY > 0 || navigator.userActivation?.hasBeenActive === true;
}

/** Safari has no requestIdleCallback; a timer lets the current frame through there. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 2000 });
  else setTimeout(act, 200);
}
