/**
 * Runs background jobs until the server stops: with pauses, exponential back-off, and a lock if
 * only one server may run the job. server/jobs.ts lists them.
 */
import { setTimeout as wait } from 'node:timers/promises';

export interface Job {
  /** Unique name, which is also the name of the job's lock. */
  name: string;
  /** Pause after a successful run. Milliseconds. */
  everyMs: number;
  /**
   * Upper bound for the pause after failures, which doubles with each further one. Milliseconds.
   */
  longestPauseMs: number;
  /**
   * Whether only one of the servers that share a database runs the job. It needs the job's lock.
   */
  onePerDatabase: boolean;
  /**
   * Does one step of the work.
   *
   * @param signal aborts when the stopping server waits no longer
   * @returns true if the next step should follow without a pause
   */
  run(signal: AbortSignal): Promise<boolean>;
  /**
   * Stores the outcome of the last run, if that failed then. It runs without the lock too, because
   * the lock may have been lost since.
   */
  finishLast?(): Promise<void>;
  /**
   * Called after each failed run.
   *
   * @param isNew whether the failure has another reason than the one before, or is the first
   */
  onFailure?(cause: Error, isNew: boolean): void;
  /** Called after the first successful run that follows a failure. */
  onRecovery?(): void;
}

/** An error that says when to try again, such as an HTTP 503 with `Retry-After`. */
type JobError = Error & { retryAfterMs?: number };

/** Takes the lock of a job. Returns whether this server has it. */
interface Locks {
  tryLock(job: string): Promise<boolean>;
}

/** Time and randomness, which tests replace. */
export interface Timing {
  /** Waits. Rejects or resolves early if the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  /** A number from 0 to 1: jitter, so that several servers do not retry at the same moment. */
  random(): number;
}

const SYSTEM_TIMING: Timing = {
  wait: (ms, signal) => wait(ms, null, { signal }),
  random: Math.random,
};

/** How long a stopping server waits for running jobs, before it aborts them. Milliseconds. */
const STOP_TIMEOUT_MS = 500;

export type Jobs = ReturnType<typeof startJobs>;

/** Starts all jobs. */
export function startJobs(jobs: readonly Job[], locks: Locks, timing = SYSTEM_TIMING) {
  const stopping = new AbortController();
  const abort = new AbortController();
  const faults = new Map<string, string>();

  const rest = (ms: number, signal: AbortSignal) => timing.wait(ms, signal).catch(() => {});
  const runOnce = async (job: Job): Promise<boolean> => {
    await job.finishLast?.();
    if (job.onePerDatabase && !(await locks.tryLock(job.name))) return false;
    return job.run(abort.signal);
  };
  const succeed = (job: Job) => {
    if (faults.delete(job.name)) job.onRecovery?.();
  };
  const fail = (job: Job, cause: Error) => {
    if (stopping.signal.aborted) return;
    job.onFailure?.(cause, faults.get(job.name) !== cause.message);
    faults.set(job.name, cause.message);
  };
  const repeat = async (job: Job): Promise<void> => {
    let failures = 0;
    while (!stopping.signal.aborted) {
      let restMs = job.everyMs;
      try {
        if (await runOnce(job)) restMs = 0;
        succeed(job);
        failures = 0;
      } catch (cause) {
        fail(job, cause as Error);
        restMs = backOffAfter(job, failures, cause as JobError, timing);
        failures += 1;
      }
      if (restMs > 0) await rest(restMs, stopping.signal);
    }
  };
  const running = Promise.all(jobs.map(repeat));

  return {
    /** Returns why the job's last run failed. Null if it succeeded. */
    faultOf: (name: string): string | null => faults.get(name) ?? null,
    /** Stops all jobs. Resolves after the current runs. The database must stay open until then. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.race([running, rest(STOP_TIMEOUT_MS, abort.signal)]);
      abort.abort();
    },
  };
}

/**
 * Returns the pause after a failure in milliseconds: exponential back-off with jitter, but at least
 * the usual pause and the time that the error asks for.
 *
 * @param failures number of consecutive failures before this one
 */
function backOffAfter(job: Job, failures: number, cause: JobError, { random }: Timing): number {
  const pause = Math.min(job.everyMs * 2 ** failures, job.longestPauseMs);
  return Math.max(pause * (0.5 + random() / 2), job.everyMs, cause.retryAfterMs ?? 0);
}
