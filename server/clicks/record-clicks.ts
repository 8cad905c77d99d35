/**
 * Records clicks. A click is recorded when its row is committed in the database and its line is in
 * the log.
 */
import { type Database, DatabaseFault, isDataError } from '../database/database.ts';
import { createGroupCommit } from '../database/group-commit.ts';
import type { WriteHealth } from '../database/write-health.ts';
import type { NewClickRow } from './click.ts';
import type { ClickLog } from './click-log.ts';
import { type StoreOptions, type StoreResult, storeClicks } from './store-clicks.ts';

/** Upper bound for the clicks of one transaction. */
const MAX_GROUP = 500;
/** Upper bound for the clicks that wait for the database in memory: about 10 MB. */
const MAX_WAITING = 10_000;
/** How long a click waits for its commit, in milliseconds. Browsers give up after 5 s. */
const MAX_WAIT_MS = 3_800;

interface Options {
  db: Database;
  clickLog: ClickLog;
  health: WriteHealth;
  storeOptions: StoreOptions;
  /** Called after each commit, with the time that it took. */
  onCommit(seconds: number, clicks: readonly NewClickRow[], stored: readonly StoreResult[]): void;
  maxWaiting?: number | undefined;
}

export type Recorder = ReturnType<typeof createRecorder>;

/** Creates the recorder, which writes the clicks that arrive together in one transaction. */
export function createRecorder(options: Options) {
  const { db, clickLog, health, storeOptions, onCommit, maxWaiting = MAX_WAITING } = options;

  const commit = async (clicks: NewClickRow[]): Promise<StoreResult[]> => {
    const startedAt = performance.now();
    try {
      const stored = await db.transaction(storeClicks, clicks, storeOptions, Date.now());
      for (const [i, result] of stored.entries()) clickLog.add(clicks[i] as NewClickRow, result);
      clickLog.flush();
      health.succeeded();
      onCommit((performance.now() - startedAt) / 1000, clicks, stored);
      return stored;
    } catch (cause) {
      if (isDataError(cause)) throw cause;
      health.failed(cause as Error);
      // A probe finds out at once whether only the connection broke. Without it, clicks would be
      // refused until the next probe, up to 5 s later.
      if (cause instanceof DatabaseFault) void health.probe();
      throw cause;
    }
  };
  const queue = createGroupCommit({
    commit,
    maxGroup: MAX_GROUP,
    maxWaiting,
    maxWaitMs: MAX_WAIT_MS,
  });

  return {
    /**
     * Records a click. Resolves when the click is in the table and in the log.
     *
     * @throws (rejects with) the error of the database or of the log. The click may still be in the
     * table then. Recording it again is safe, because its id makes it idempotent
     */
    async record(click: NewClickRow): Promise<'logged' | 'duplicate'> {
      const fault = health.fault();
      if (fault) throw fault;
      const stored = await queue.add(click);
      return stored === 'logged' ? 'logged' : 'duplicate';
    },
    /** Resolves when all clicks that have arrived are recorded or rejected. */
    close: queue.close,
  };
}
