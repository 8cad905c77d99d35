/** Who does one of these wants the next frame, not a script. A gaze moves all the time, so a move is none of them. */
const SIGNS = ['pointerdown', 'keydown', 'scroll'];

export interface Pause {
  /** So long nothing is pressed and nothing scrolls, in milliseconds. */
  calmMs: number;
  /** After so long it is enough, in milliseconds. */
  atLatestMs: number;
}

/** What the visitor may be about to use: between two presses rather than during one. */
export const SOON: Pause = { calmMs: 150, atLatestMs: 5000 };

/** Resolves in the next pause of what the visitor is doing with the page, which is not before `calmMs`. */
export function whenCalm({ calmMs, atLatestMs }: Pause): Promise<void> {
  return new Promise((resolve) => {
    const isOver = new AbortController();
    const end = () => {
      isOver.abort();
      clearTimeout(pause);
      clearTimeout(last);
      resolve();
    };
    const last = setTimeout(end, atLatestMs);
    let pause = setTimeout(end, calmMs);
    const onSign = () => {
      clearTimeout(pause);
      pause = setTimeout(end, calmMs);
    };
    for (const sign of SIGNS) {
      addEventListener(sign, onSign, { signal: isOver.signal, passive: true, capture: true });
    }
  });
}
