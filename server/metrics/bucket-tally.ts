/**
 * Counts of values by size, as plain numbers. An observation takes some nanoseconds; the library's own histogram takes 300, which
 * is too much for each click.
 */

/** Upper bounds for durations, in seconds. */
export const DURATIONS_S = [
  ...[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05],
  ...[0.1, 0.25, 0.5, 1, 2.5, 5],
];
/** Upper bounds for the clicks of a group. */
export const GROUP_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500];

export class BucketTally {
  readonly bounds: readonly number[];
  /** One count per bound, and one for larger values. Each value is in one of them. */
  readonly counts: number[];
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let i = 0;
    while (i < bounds.length && value > (bounds[i] as number)) i += 1;
    counts[i] = (counts[i] as number) + 1;
    this.sum += value;
  }
}

/** @param startMs from `performance.now()` */
export const secondsSince = (startMs: number): number => (performance.now() - startMs) / 1000;
