/** How far something is, from 0 to 1, `at` a second, when it starts at `from` and takes `seconds`; soft at both ends. */
export function ease(at: number, from: number, seconds: number): number {
  const x = Math.min(1, Math.max(0, (at - from) / seconds));
  return x * x * (3 - 2 * x);
}

/** Comes in, stays, and goes: 1 between `from` and `to`. */
export function inAndOut(at: number, from: number, to: number, seconds = 0.6): number {
  return ease(at, from, seconds) * (1 - ease(at, to - seconds, seconds));
}

export const mix = (from: number, to: number, share: number) => from + (to - from) * share;
