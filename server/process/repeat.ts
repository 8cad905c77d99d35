/** Work with an outside service: its repetition, and its failures without a success between them. */
import { setTimeout as wait } from 'node:timers/promises';

interface Options {
  /** Milliseconds. The pause after a failure, which doubles with every further one. */
  firstPause: number;
  longestPause: number;
  /** How long a stopping server waits for the attempt under way, before it breaks it off by the signal. */
  lastMs: number;
  /** Called when the reason is another one, and not for each attempt. */
  onFailure?(reason: string): void;
  onEnd?(): void;
}

/**
 * Repeats an attempt until the server stops.
 *
 * @param attempt returns the pause until the next one, in milliseconds, or rejects with a failure
 */
export function repeat(attempt: (cut: AbortSignal) => Promise<number>, options: Options) {
  const { firstPause, longestPause, lastMs, onFailure, onEnd } = options;
  const stopping = new AbortController();
  const cut = new AbortController();
  let count = 0;
  let reason: string | null = null;
  const succeed = (pause: number) => {
    if (reason !== null) onEnd?.();
    reason = null;
    count = 0;
    return pause;
  };
  const fail = ({ message, retryAfterMs = 0 }: Error & { retryAfterMs?: number }) => {
    if (stopping.signal.aborted) return 0;
    if (message !== reason) onFailure?.(message);
    reason = message;
    const pause = Math.min(firstPause * 2 ** count, longestPause);
    count += 1;
    // Not all servers at the same moment.
    return Math.max(pause * (0.5 + Math.random() / 2), retryAfterMs);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      const pause = await attempt(cut.signal).then(succeed, fail);
      await wait(pause, null, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    /** Why the last attempt failed; null: it did not. */
    reason: () => reason,
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.race([running, wait(lastMs, null, { ref: false })]);
      cut.abort();
    },
  };
}
