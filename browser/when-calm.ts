/** Who does one of these wants the next frame, not a script. A gaze moves all the time, so a move is none of them. */
const SIGNS = ['pointerdown', 'keydown', 'scroll'];

/** A view that scrolls by itself may do so for minutes, and does it smoothly whatever scripts do. Milliseconds. */
const SCROLLING_MS = 5000;

/** A pause between two presses, in milliseconds: for what the visitor may be about to use. */
export const SOON_MS = 150;

/** Nobody goes on pressing for so long without a pause; a key that is stuck does. Milliseconds. */
const AT_LATEST_MS = 30_000;

/** Resolves when, from now on, nothing has been pressed and nothing has scrolled for `calmMs` milliseconds. */
export function whenCalm(calmMs: number): Promise<void> {
  return new Promise((resolve) => {
    const isOver = new AbortController();
    const end = () => {
      isOver.abort();
      clearTimeout(pause);
      clearTimeout(last);
      resolve();
    };
    const began = performance.now();
    const last = setTimeout(end, AT_LATEST_MS);
    let pause = setTimeout(end, calmMs);
    const onSign = ({ type }: Event) => {
      if (type === 'scroll' && performance.now() > began + SCROLLING_MS) return;
      clearTimeout(pause);
      pause = setTimeout(end, calmMs);
    };
    for (const sign of SIGNS) {
      addEventListener(sign, onSign, { signal: isOver.signal, passive: true, capture: true });
    }
  });
}
