/** Records clicks. A click is recorded when its row is committed and its line is in the log. */
import { type Database, DatabaseFault, isDataError } from '../database/database.ts';
import { createGroupCommit } from '../database/group-commit.ts';
import type { WriteHealth } from '../database/write-health.ts';
import type { Click } from './click.ts';
import type { ClickLog } from './click-log.ts';
import { type Stored, type StoreOptions, storeClicks } from './store-clicks.ts';

const MAX_GROUP = 500;
/** Clicks in memory that wait for the database: about 10 MB. */
const MAX_WAITING = 10_000;
/** A click is answered before its browser gives up, after 5 s. */
const MAX_WAIT_MS = 3_800;

interface Options {
  db: Database;
  clickLog: ClickLog;
  health: WriteHealth;
  store: StoreOptions;
  onCommit(seconds: number, clicks: readonly Click[], stored: readonly Stored[]): void;
  maxWaiting?: number | undefined;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(options: Options) {
  const { db, clickLog, health, store, onCommit, maxWaiting = MAX_WAITING } = options;

  const commit = async (clicks: Click[]): Promise<Stored[]> => {
    const startedAt = performance.now();
    try {
      const stored = await db.transaction(storeClicks, clicks, store, Date.now());
      for (const [i, result] of stored.entries()) clickLog.add(clicks[i] as Click, result);
      clickLog.flush();
      health.succeeded();
      onCommit((performance.now() - startedAt) / 1000, clicks, stored);
      return stored;
    } catch (cause) {
      if (isDataError(cause)) throw cause;
      health.failed(cause as Error);
      // A connection that has only broken off must not refuse the next clicks for 5 s.
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
     * Resolves when the click is in the table and in the log.
     *
     * @throws (rejects with) the error of the database or of the log. The click may be in the
     * table then: record it again
     */
    async record(click: Click): Promise<'logged' | 'duplicate'> {
      const fault = health.fault();
      if (fault) throw fault;
      const stored = await queue.add(click);
      return stored === 'logged' ? 'logged' : 'duplicate';
    },
    /** Waits for the clicks that have arrived. */
    close: queue.close,
  };
}
