/** Ease-in-out from 0 to 1: the progress at second `at` of a movement that starts at `from` and takes `seconds`. */
export function ease(at: number, from: number, seconds: number): number {
  const x = Math.min(1, Math.max(0, (at - from) / seconds));
  return x * x * (3 - 2 * x);
}

/** Fades in at `from` and out at `to`; 1 in between. */
export function inAndOut(at: number, from: number, to: number, seconds = 0.6): number {
  return ease(at, from, seconds) * (1 - ease(at, to - seconds, seconds));
}

export const mix = (from: number, to: number, share: number) => from + (to - from) * share;
