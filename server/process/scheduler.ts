/** Runs background jobs until the server stops. server/jobs.ts lists them. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Job {
  /** Also the name of the lock, if only one server may run the job. */
  name: string;
  /** Rest after a run. Milliseconds. */
  everyMs: number;
  /** Upper bound of the rest after a failed run, which doubles with each further failure. */
  longestPauseMs: number;
  /** Whether only one of the servers that share a database runs the job. */
  onePerDatabase: boolean;
  /**
   * Returns true if the next run should follow without a rest.
   *
   * @param signal aborts when the stopping server waits no longer
   */
  run(signal: AbortSignal): Promise<boolean>;
  /** Stores what the run before could not. A server does that too if it has lost the lock since. */
  finishLast?(): Promise<void>;
  /** @param isNew whether the failure before had another reason, or there was none */
  onFailure?(cause: Error, isNew: boolean): void;
  /** Called after the first success after a failure. */
  onRecovery?(): void;
}

/** A failure of an outside service that says when to try again. */
type JobError = Error & { retryAfterMs?: number };

/** Makes this server the only one that does a job. Returns whether it is. */
interface Locks {
  tryLock(job: string): Promise<boolean>;
}

export interface Timing {
  /** Rejects or resolves early when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  /** From 0 to 1, so that several servers do not try again at the same moment. */
  random(): number;
}

const SYSTEM_TIMING: Timing = {
  wait: (ms, signal) => wait(ms, null, { signal }),
  random: Math.random,
};

/** How long a stopping server waits for the runs under way, before it aborts them. */
const STOP_TIMEOUT_MS = 500;

export type Jobs = ReturnType<typeof startJobs>;

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
    /** Why the job's last run failed. Null if it succeeded. */
    faultOf: (name: string): string | null => faults.get(name) ?? null,
    /** Ends after the runs under way. The database must be open until then. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.race([running, rest(STOP_TIMEOUT_MS, abort.signal)]);
      abort.abort();
    },
  };
}

/** Returns the rest after a failure: no shorter than after a success. `failures`: those before. */
function backOffAfter(job: Job, failures: number, cause: JobError, { random }: Timing): number {
  const pause = Math.min(job.everyMs * 2 ** failures, job.longestPauseMs);
  return Math.max(pause * (0.5 + random() / 2), job.everyMs, cause.retryAfterMs ?? 0);
}
