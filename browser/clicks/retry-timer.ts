import { backoffMs } from './backoff.ts';

interface Dependencies {
  /** Milliseconds since 1970. */
  now: () => number;
  /** A number from 0 to 1. */
  random: () => number;
}

/**
 * Creates a timer for retries with exponential back-off, which also respects `Retry-After`. At most
 * one retry is scheduled at a time.
 *
 * @param retry called when the time of a retry has come
 */
export function createRetryTimer(retry: () => void, { now, random }: Dependencies) {
  /** Number of retries since the last success. */
  let attempt = 0;
  /** Time before which nothing may be sent, in milliseconds since 1970. */
  let notBefore = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return {
    /** Whether the server has asked to wait, and that time is not over. */
    mustWait: (): boolean => now() < notBefore,
    /** Forbids all sending for so long, as the server asks in `Retry-After`. */
    waitAtLeast(ms: number): void {
      notBefore = now() + ms;
    },
    /** Schedules a retry, unless one is scheduled. */
    schedule(): void {
      if (timer !== undefined) return;
      const delay = Math.max(notBefore - now(), backoffMs(attempt, random()));
      attempt += 1;
      timer = setTimeout(() => {
        timer = undefined;
        retry();
      }, delay);
    },
    /** Begins the back-off anew, because a request has succeeded. */
    resetBackoff(): void {
      attempt = 0;
    },
    /** Cancels the scheduled retry. */
    cancel(): void {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
