/**
 * Group commit: clicks that come during one transaction share the next one, and its wait for the disk. A click is recorded when
 * its row is committed and its line is in the log.
 */
import type { Logger } from 'pino';
import { type Database, DatabaseFault, write } from '../database/database.ts';
import { HttpError } from '../http/http-error.ts';
import { SECOND_MS } from '../time.ts';
import type { Click } from './click.ts';
import type { ClickLog } from './click-log.ts';
import { type Stored, type StoreOptions, storeClicks } from './store-clicks.ts';

/** Upper bound of a group, so that a transaction is short. */
const MAX_GROUP = 500;
/** Upper bound of clicks in memory: about 10 MB. */
const MAX_WAITING = 10_000;
/** Browsers give up after 5 s. */
const MAX_WAIT_MS = 3_800;
const WAIT_CHECK_MS = 200;
/** Without a commit for this long, the server tries whether it can write. */
const PROBE_MS = 5 * SECOND_MS;
const PROBE = `INSERT INTO probes (server, at) VALUES ($1, $2)
  ON CONFLICT (server) DO UPDATE SET at = excluded.at`;

type Recorded = Exclude<Stored, 'forgotten'>;

export type Recorder = ReturnType<typeof createRecorder>;

type Waiting = PromiseWithResolvers<Recorded> & { click: Click; since: number };

interface Parts {
  db: Database;
  clickLog: ClickLog;
  log: Pick<Logger, 'error' | 'info' | 'warn'>;
  store: StoreOptions;
  onCommit(seconds: number, clicks: readonly Click[], stored: readonly Stored[]): void;
  maxWaiting?: number | undefined;
}

export function createRecorder(parts: Parts) {
  const { db, clickLog, log, store, onCommit, maxWaiting = MAX_WAITING } = parts;
  const waiting: Waiting[] = [];
  let underWay: Waiting[] = [];
  let running: Promise<void> | null = null;
  let fault: Error | null = null;
  let committedAt = Number.NEGATIVE_INFINITY;

  const succeed = () => {
    committedAt = performance.now();
    if (fault) log.info('Clicks are kept again');
    fault = null;
  };
  const fail = (cause: Error) => {
    // Once, not for each click.
    if (!fault || fault.message !== cause.message)
      log.error(`Clicks cannot be kept: ${cause.message}`);
    fault = cause;
    for (const { reject } of [...underWay, ...waiting.splice(0)]) reject(cause);
  };

  const commit = async (group: Waiting[]): Promise<void> => {
    const begun = performance.now();
    try {
      const clicks = group.map(({ click }) => click);
      const stored = await db.transaction(storeClicks, clicks, store, Date.now());
      for (const [i, result] of stored.entries()) clickLog.add(clicks[i] as Click, result);
      clickLog.flush();
      succeed();
      onCommit((performance.now() - begun) / 1000, clicks, stored);
      for (const [i, { resolve }] of group.entries())
        resolve(stored[i] === 'logged' ? 'logged' : 'duplicate');
    } catch (cause) {
      if (!(cause instanceof DatabaseFault)) return fail(cause as Error);
      if (!cause.isOfValue) {
        fail(cause);
        // A connection that has only broken off costs these clicks alone.
        return tryToWrite();
      }
      if (group.length === 1) return group[0]?.reject(refusal(cause, log));
      // Once more one by one, so that only the one at fault gets an error. After another fault, all of them have theirs.
      for (const one of group) if (!fault) await commit([one]);
    }
  };
  const run = async () => {
    // Until the end of this turn of the event loop, so that the clicks of one turn are one group.
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      underWay = waiting.splice(0, MAX_GROUP);
      await commit(underWay);
    }
    underWay = [];
    running = null;
  };
  const tryToWrite = () => write(db, PROBE, [store.server, Date.now()]).then(succeed, fail);
  const probe = async () => {
    if (running || (!fault && performance.now() - committedAt < PROBE_MS)) return;
    await tryToWrite();
  };
  const rejectLate = () => {
    const since = performance.now() - MAX_WAIT_MS;
    for (const one of [...underWay, ...waiting])
      if (one.since < since) one.reject(new Error('The database has not answered in time'));
  };
  const timers = [setInterval(probe, PROBE_MS), setInterval(rejectLate, WAIT_CHECK_MS)];
  for (const timer of timers) timer.unref();
  const probed = probe();

  return {
    /**
     * Resolves when the click is in the table and in the log.
     *
     * @throws (rejects with) the error of the database or of the log. The click may then be in the table: record it again
     */
    record(click: Click): Promise<Recorded> {
      if (fault) return Promise.reject(fault);
      if (waiting.length >= maxWaiting) return Promise.reject(new Error('Too many clicks wait'));
      const one = { click, since: performance.now(), ...Promise.withResolvers<Recorded>() };
      waiting.push(one);
      running ??= run();
      return one.promise;
    },
    /** Why the last commit or probe failed; null: it did not. Never writes. */
    fault: () => fault,
    /** The same, and a reason until the first commit or probe. */
    whyNotReady: () => fault ?? (committedAt === Number.NEGATIVE_INFINITY ? NOT_TRIED : null),
    /** Waits for the clicks that have come. */
    async close(): Promise<void> {
      for (const timer of timers) clearInterval(timer);
      await probed;
      await running;
    },
  };
}

const NOT_TRIED = new Error('The server has started, and has not written yet.');

/** The database takes no click with this value. Its browser need not send it again. */
function refusal(cause: DatabaseFault, log: Parts['log']): HttpError {
  log.warn({ code: cause.code }, 'The database refuses a value of a click');
  return new HttpError(400, 'validation_failed', 'The click has a value that cannot be stored.');
}
