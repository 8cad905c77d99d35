/** Failures of an outside service without a success between them: the pause until the next attempt, and the lines of the log. */
import { setTimeout as wait } from 'node:timers/promises';

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

/**
 * Repeats an attempt until the server stops.
 *
 * @param attempt returns the pause until the next one, in milliseconds, or rejects with a failure
 * @param lastMs how long a stopping server waits for the attempt under way, before it breaks it off by the signal
 * @returns a function that ends it
 */
export function repeat(
  attempt: (cut: AbortSignal) => Promise<number>,
  failures: { add(reason: string, retryAfterMs?: number): number; end(): void },
  lastMs: number,
): () => Promise<void> {
  const stopping = new AbortController();
  const cut = new AbortController();
  const succeed = (pause: number) => {
    failures.end();
    return pause;
  };
  const fail = (cause: Error & { retryAfterMs?: number }) =>
    stopping.signal.aborted ? 0 : failures.add(cause.message, cause.retryAfterMs);
  const run = async () => {
    while (!stopping.signal.aborted) {
      const pause = await attempt(cut.signal).then(succeed, fail);
      await wait(pause, null, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return async () => {
    stopping.abort();
    await Promise.race([running, wait(lastMs, null, { ref: false })]);
    cut.abort();
  };
}
