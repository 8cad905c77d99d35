/**
 * Whether this server can write: the outcome of its last commit, or of a probe while nothing is
 * committed. /readyz depends on it, and while the server cannot write, it takes no click.
 */
import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { SECOND_MS } from '../time.ts';
import type { Database } from './database.ts';
import { probeWrites } from './try-click.ts';

/** The server probes if it has committed nothing for this long. */
export const PROBE_MS = 5 * SECOND_MS;
const NOT_TRIED = new Error('The server has started, and has not written yet.');

interface Options {
  db: Pick<Database, 'transaction'>;
  /** Name of this server among those that share the database. */
  server: string;
  log: Pick<Logger, 'error' | 'info'>;
}

export type WriteHealth = ReturnType<typeof watchWrites>;

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
    // Each reason is logged once, because there may be thousands of clicks.
    if (fault?.message !== cause.message) log.error(`Clicks cannot be kept: ${cause.message}`);
    fault = cause;
  };
  const probe = (): Promise<void> => {
    // One probe at a time: while a database hangs, those of several minutes would wait for it.
    probing ??= db
      .transaction(probeWrites, server, randomUUIDv7(), Date.now())
      .then(succeeded, failed)
      .finally(() => {
        probing = null;
      });
    return probing;
  };

  return {
    /** To be called after each commit. */
    succeeded,
    /** To be called after each commit that failed for another reason than its values. */
    failed,
    /** Tries at once whether the database takes writes. Never rejects. */
    probe,
    /** Probes, unless a commit has shown shortly before that the database takes writes. */
    async probeIfQuiet(): Promise<void> {
      if (fault || performance.now() - committedAt >= PROBE_MS) await probe();
    },
    /** Why the last commit or probe failed. Null if it succeeded, or before the first one. */
    fault: () => fault,
    /** Why the server is not ready: the same fault, or that it has not written yet. */
    whyNotReady: () => fault ?? (Number.isFinite(committedAt) ? null : NOT_TRIED),
    /** Waits for the probe under way. */
    async close(): Promise<void> {
      await probing;
    },
  };
}
