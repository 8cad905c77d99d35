import { whenIdle } from './when-idle.ts';

const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin', 'touchstart'];

/** Runs the callback once, in the first idle period after the visitor's first input, which may be in the past. */
export function whenInteracted(act: () => void, signal: AbortSignal): void {
  // Ends with the first sign or with the caller's signal. AbortSignal.any is missing in Safari before 17.4 and Chrome
  // before 116.
  const listening = new AbortController();
  signal.addEventListener('abort', () => listening.abort());
  const onSign = () => {
    if (listening.signal.aborted) return;
    listening.abort();
    whenIdle(() => {
      if (!signal.aborted) act();
    });
  };
  for (const sign of SIGNS) {
    addEventListener(sign, onSign, { signal: listening.signal, passive: true, capture: true });
  }
  // Idle, because reading the scroll position makes the browser lay out the page.
  whenIdle(() => {
    if (hasBegun()) onSign();
  });
}

/** Whether the visitor acted before the page's module loaded. */
function hasBegun(): boolean {
  const hasFocus = document.activeElement !== null && document.activeElement !== document.body;
  return hasFocus || scrollY > 0 || navigator.userActivation?.hasBeenActive === true;
}
