/**
 * The counts behind /metrics, as plain numbers: an observation takes some nanoseconds. The library's own histogram takes 300, and
 * more with labels, which is too much for each click.
 */
import type { Committed } from '../clicks/record-clicks.ts';

/** Upper bounds, in seconds. */
export const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Durations by size. */
export class Durations {
  /** One for each bound, and one for longer durations. Each duration is in one of them. */
  readonly counts: number[] = Array(BOUNDS_S.length + 1).fill(0);
  count = 0;
  sumS = 0;

  observe(seconds: number): void {
    let i = 0;
    while (i < BOUNDS_S.length && seconds > (BOUNDS_S[i] as number)) i += 1;
    this.counts[i] = (this.counts[i] as number) + 1;
    this.count += 1;
    this.sumS += seconds;
  }
}

/** Answers of a route, by the first digit of their status. */
export type RouteTally = Map<number, Durations>;

export type Tallies = ReturnType<typeof createTallies>;

export function createTallies() {
  return {
    /** By method and pattern, such as `POST /api/log-cta`. */
    routes: new Map<string, RouteTally>(),
    commits: new Durations(),
    logged: 0,
    duplicate: 0,
    /** Bodies that the server refuses for good. */
    refused: 0,
    /** Clicks that browsers had to drop from a full outbox, as they report it. */
    dropped: 0,
    posthog: { taken: 0, retried: 0, refused: 0 },
    /** Counts a group of clicks. */
    commit({ seconds, logged, duplicate, dropped }: Committed): void {
      this.commits.observe(seconds);
      this.logged += logged;
      this.duplicate += duplicate;
      this.dropped += dropped;
    },
    /** Counts a body that is refused for good. */
    refuse(): void {
      this.refused += 1;
    },
    /** Counts what became of a batch of events. */
    settle({ done, later, refused }: Record<'done' | 'later' | 'refused', unknown[]>): void {
      this.posthog.taken += done.length;
      this.posthog.retried += later.length;
      this.posthog.refused += refused.length;
    },
  };
}
