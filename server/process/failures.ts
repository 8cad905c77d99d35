/** Failures of an outside service without a success between them: the pause until the next attempt, and the lines of the log. */

interface Parts {
  /** Milliseconds. The pause doubles with every further failure. */
  firstPause: number;
  longestPause: number;
  /** Called when the reason is another one, and not for each attempt. */
  onFailure(reason: string): void;
  onEnd(): void;
}

export function countFailures({ firstPause, longestPause, onFailure, onEnd }: Parts) {
  let count = 0;
  let last: string | null = null;
  return {
    /** @returns the pause, in milliseconds */
    add(reason: string, retryAfterMs = 0): number {
      if (reason !== last) onFailure(reason);
      last = reason;
      const pause = Math.min(firstPause * 2 ** count, longestPause);
      count += 1;
      // Not all servers at the same moment.
      return Math.max(pause * (0.5 + Math.random() / 2), retryAfterMs);
    },
    end(): void {
      if (last !== null) onEnd();
      last = null;
      count = 0;
    },
    reason: () => last,
  };
}
