/**
 * Tracks whether this server can write to the database: by its last commit, or by a probe if there
 * was none for some seconds. /readyz reports it, and while the server cannot write, clicks get 503.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { SECOND_MS } from '../time.ts';
import type { Database } from './database.ts';
import { probeWrites } from './try-click.ts';

/** Time without a commit after which the server probes the database. Milliseconds. */
export const PROBE_MS = 5 * SECOND_MS;
const NOT_TRIED = new Error('The server has started, and has not written yet.');

interface Options {
  db: Pick<Database, 'transaction'>;
  /** Name of this server among those that share the database. */
  server: string;
  log: Pick<Logger, 'error' | 'info'>;
}

export type WriteHealth = ReturnType<typeof watchWrites>;

/** Creates the watch. Nothing is known until the first commit or probe. */
export function watchWrites({ db, server, log }: Options) {
  let fault: Error | null = null;
  let committedAt = Number.NEGATIVE_INFINITY;
  let probing: Promise<void> | null = null;

  const succeeded = () => {
    committedAt = performance.now();
    if (fault) log.info('Clicks are kept again');
    fault = null;
  };
  const failed = (cause: Error) => {
    // Only a new reason is logged, because thousands of clicks may fail for the same one.
    if (fault?.message !== cause.message) log.error(`Clicks cannot be kept: ${cause.message}`);
    fault = cause;
  };
  const probe = (): Promise<void> => {
    // One probe at a time. Otherwise probes would pile up while a database hangs.
    probing ??= db
      .transaction(probeWrites, server, randomUUIDv7(), Date.now())
      .then(succeeded, failed)
      .finally(() => {
        probing = null;
      });
    return probing;
  };

  return {
    /** Call it after each successful commit. */
    succeeded,
    /** Call it after each failed commit, unless the database only rejected a value. */
    failed,
    /** Probes now: writes to the database and stores the outcome. Never rejects. */
    probe,
    /** Probes, unless a commit has succeeded in the last PROBE_MS. */
    async probeIfQuiet(): Promise<void> {
      if (fault || performance.now() - committedAt >= PROBE_MS) await probe();
    },
    /**
     * Returns the error of the last commit or probe. Null if it succeeded, or before the first one.
     */
    fault: () => fault,
    /**
     * Returns why the server is not ready: the last error, or that it has not written yet. Null: it
     * is ready.
     */
    whyNotReady: () => fault ?? (Number.isFinite(committedAt) ? null : NOT_TRIED),
    /** Waits for a running probe. */
    async close(): Promise<void> {
      await probing;
    },
  };
}
