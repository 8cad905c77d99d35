/**
 * Group commit: writes the clicks that arrive during one disk write together to the index and the ledger. Each click
 * resolves when its line is on the disk. Groups run one after another, so each id is compared with all earlier ones and
 * with its own group.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LogCtaAnswer } from '#contract/log-cta.schema.ts';
import type { ClickLine } from './click-line.ts';
import { logFailure } from './describe-failure.ts';
import { formatLine } from './format-line.ts';
import type { ClickIndex, ClickRow } from './index/click-index.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { LedgerChange } from './ledger/ledger-changes.ts';
import { makeLookAgain } from './look-again.ts';

export type Recorded = LogCtaAnswer['status'];
/** `failed`: the browser was asked to send the click again. */
export type ClickOutcome = Recorded | 'failed';

export interface Recorder {
  /**
   * Resolves when the line is on the disk, or its id was there before.
   * @throws (rejects with) the error of the disk or the index; the click is then not kept
   */
  record(line: ClickLine): Promise<Recorded>;
  /** Closes and reopens the ledger between two groups. @throws (rejects) if the new file cannot be opened */
  reopen(): Promise<void>;
  /**
   * Runs `work` between two groups, with an index that has every line of the ledger.
   * @returns false, without running it, if the index cannot catch up
   */
  whenIndexed(work: () => void): Promise<boolean>;
  /** Is the index catching up with the ledger? Meanwhile clicks are rejected, and counts are too low. */
  isCatchingUp(): boolean;
  /** Milliseconds since the oldest click without an answer came; 0: there is none, or all are rejected at once. */
  oldestWaitMs(): number;
  /** The reason why clicks cannot be kept, after another check (look-again.ts); null if they can. */
  fault(): Promise<string | null>;
  /** Waits until all queued work is done. */
  drain(): Promise<void>;
  /** Ends catching up, waits for the clicks under way, and leaves a ledger that a restart can read. */
  close(): Promise<void>;
}

/** A group gathers for this long, so that more clicks share a disk write. Visitors do not wait for the answer. */
const GATHER_MS = 1;

/** Clicks wait this long for the index to catch up. Browsers give up after 5 s. */
const CATCH_UP_PATIENCE_MS = 500;

interface Waiting {
  line: ClickLine;
  resolve(outcome: Recorded): void;
  reject(cause: unknown): void;
}

export interface RecorderParts {
  clickIndex: ClickIndex;
  ledger: Ledger;
  log: Pick<Logger, 'error' | 'info'>;
  /** Brings the index up to the ledger after the start, a failure or a rotation. Rejects if the signal aborts it. */
  refillIndex: (signal: AbortSignal) => Promise<void>;
  /** Gets each change of the ledger by another program. */
  onLedgerChange: (change: LedgerChange) => void;
  /** Gets the text of each group once it is on the disk. */
  mirror: (text: Buffer) => void;
  /** Called for each click when its answer is known. */
  onSettled?: (line: ClickLine, outcome: ClickOutcome) => void;
}

/** Makes a recorder, which begins by bringing the index up to the ledger. */
export function createRecorder({
  clickIndex,
  ledger,
  log,
  refillIndex,
  onLedgerChange,
  mirror,
  onSettled = () => {},
}: RecorderParts): Recorder {
  let waiting: Waiting[] = [];
  let scheduled = false;
  /** When the first click of the gathering group came, and that of the group under way. Monotonic milliseconds. */
  let gatheringSince: number | null = null;
  let committingSince: number | null = null;
  let failure: unknown = null;
  /** At the start and after a failure, index and ledger may differ. The next group waits until they agree. */
  let needsResync = true;
  let catchingUp = true;
  const stopping = new AbortController();
  /** Tail of the queue of all work on the ledger. */
  let last: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };

  /** Logs the begin and the end of a failure once, not once per click. */
  const setFailure = (cause: unknown) => {
    if (stopping.signal.aborted && cause === stopping.signal.reason) return;
    if (cause !== null && failure === null) logFailure(log, cause);
    if (cause === null && failure !== null) log.info('Clicks are kept again');
    failure = cause;
    if (cause !== null) needsResync = true;
  };

  const rejectAll = (group: Waiting[], cause: unknown) => {
    for (const { line, reject } of group) {
      reject(cause);
      onSettled(line, 'failed');
    }
  };

  const rejectClicks = () => {
    catchingUp = true;
    rejectAll(waiting.splice(0), catchUpError());
  };

  const mend = async () => {
    if (ledger.isIntact()) return;
    const change = await ledger.mend();
    if (change !== null) onLedgerChange(change);
    needsResync = true;
  };

  const resync = async () => {
    await mend();
    if (!needsResync) return;
    if (failure !== null && clickIndex.isDamaged(failure)) clickIndex.renew();
    const late = setTimeout(rejectClicks, CATCH_UP_PATIENCE_MS);
    try {
      await refillIndex(stopping.signal);
      needsResync = false;
    } finally {
      clearTimeout(late);
      catchingUp = false;
    }
  };

  const commit = async (group: Waiting[]): Promise<void> => {
    let flushed: Buffer | null = null;
    try {
      await resync();
      const fresh = await clickIndex.commitGroup(group.map(rowOf), async (fresh) => {
        group.forEach(({ line }, i) => {
          if (fresh[i]) ledger.write(formatLine(line));
        });
        const { text, position } = await ledger.flush();
        flushed = text;
        return position;
      });
      setFailure(null);
      group.forEach(({ line, resolve }, i) => {
        const outcome = fresh[i] ? 'logged' : 'duplicate';
        resolve(outcome);
        onSettled(line, outcome);
      });
      if (flushed) mirror(flushed);
    } catch (cause) {
      setFailure(cause);
      if (flushed && !clickIndex.mayHaveCommitted(cause)) ledger.undo();
      ledger.discard();
      rejectAll(group, cause);
    }
  };

  const commitWaiting = async () => {
    await wait(GATHER_MS);
    scheduled = false;
    const group = waiting;
    waiting = [];
    committingSince = gatheringSince;
    gatheringSince = null;
    await commit(group);
    committingSince = null;
  };

  const drain = async () => {
    for (let seen = null; seen !== last; ) {
      seen = last;
      await seen;
    }
  };

  const probe = async () => {
    try {
      await resync();
      await clickIndex.commitGroup([], async () => {
        await ledger.probe();
        return ledger.position();
      });
      setFailure(null);
    } catch (cause) {
      setFailure(cause);
    }
  };
  const lookAgain = makeLookAgain(() => inTurn(probe));

  inTurn(resync).catch(setFailure);

  return {
    record(line) {
      if (catchingUp) {
        onSettled(line, 'failed');
        return Promise.reject(catchUpError());
      }
      return new Promise((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        if (scheduled) return;
        scheduled = true;
        gatheringSince = performance.now();
        inTurn(commitWaiting);
      });
    },
    reopen() {
      return inTurn(async () => {
        // Restores the lines of a deleted file before its last descriptor is closed.
        await mend();
        ledger.reopen();
        // The new file may have lines. After a commit in doubt, the index may lack lines of the old one.
        needsResync = true;
        await resync().catch(setFailure);
      });
    },
    whenIndexed(work) {
      return inTurn(async () => {
        try {
          await resync();
          await clickIndex.commitGroup([], async () => ledger.position());
        } catch (cause) {
          setFailure(cause);
          return false;
        }
        work();
        return true;
      });
    },
    isCatchingUp: () => catchingUp,
    oldestWaitMs() {
      const since = committingSince ?? gatheringSince;
      return catchingUp || since === null ? 0 : performance.now() - since;
    },
    async fault() {
      if (catchingUp) return CATCHING_UP;
      if (failure === null && ledger.isIntact()) return null;
      await lookAgain();
      return failure === null ? null : reasonOf(failure);
    },
    drain,
    async close() {
      stopping.abort();
      await drain();
      await mend().catch(setFailure);
    },
  };
}

const CATCHING_UP = 'catching_up';

const catchUpError = () =>
  Object.assign(new Error('The click index is catching up with the ledger.'), {
    code: CATCHING_UP,
  });

function rowOf({ line }: Waiting): ClickRow {
  return { id: line.id, event: line.event, day: line.received_at.slice(0, 10), isBot: line.is_bot };
}

/** Returns the system's error code (ENOSPC, EROFS, …), which helps an operator and reveals nothing internal. */
function reasonOf(failure: unknown): string {
  return String((failure as { code?: unknown }).code ?? 'unknown');
}
