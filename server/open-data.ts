/** Opens everything below DATA_DIR, in the order of its dependencies. */
import * as fs from 'node:fs';
import { existsSync, mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { catchUp } from './clicks/catch-up.ts';
import type { ClickIndex } from './clicks/index/click-index.ts';
import { openClickIndex } from './clicks/index/open-index.ts';
import { trackPosition } from './clicks/index/track-position.ts';
import { bytesBetween } from './clicks/ledger/bytes-between.ts';
import type { Disk } from './clicks/ledger/disk.ts';
import { keepSpaceFree } from './clicks/ledger/free-space.ts';
import { describeIgnored, ignoredFiles } from './clicks/ledger/ignored-files.ts';
import { type Ledger, openLedger } from './clicks/ledger/ledger.ts';
import { type LedgerChanges, openLedgerChanges } from './clicks/ledger/ledger-changes.ts';
import { lockLedger } from './clicks/ledger/lock-ledger.ts';
import { watchSpace } from './clicks/ledger/watch-space.ts';
import { watchOverload } from './clicks/overload.ts';
import { createRecorder, type Recorder } from './clicks/record-clicks.ts';
import { openRejectedBodies } from './clicks/rejected-bodies.ts';
import { describeDeleted } from './clicks/retention/deleted-clicks.ts';
import { startClickRetention } from './clicks/retention/start-retention.ts';
import { type ClickWatch, UNWATCHED } from './clicks/watch.ts';
import { type Clock, systemClock } from './clock/clock.ts';
import { openServerClock } from './clock/server-clock.ts';
import type { Config } from './config.ts';
import { readLedgerId } from './database/ledger-id.ts';
import { newestRecord } from './newest-record.ts';

interface DataOptions {
  systemTime?: Clock | undefined;
  disk?: Disk | undefined;
  /** Observes the click path, for the metrics. */
  watch?: ClickWatch | undefined;
}

/**
 * Locks the ledger and repairs its end. The index may need many seconds to catch up, also after this returns. Meanwhile
 * the server serves pages, and answers clicks and statistics with 503.
 *
 * @param mirror called with each group of the ledger's lines when they are on the disk
 * @throws an Error that says what to do, if another process writes the ledger or the database rejects the connection
 */
export async function openData(
  config: Config,
  log: Logger,
  mirror: (text: Buffer) => void,
  { systemTime = systemClock, disk = fs, watch = UNWATCHED }: DataOptions = {},
) {
  const { files } = config;
  mkdirSync(config.dataDir, { recursive: true });
  const unlock = lockLedger(files.lock, files.ledger);
  if (existsSync(files.forgetJournal)) await finishForgetting(config, log);
  const rejectedBodies = watch.rejectedBodies(
    openRejectedBodies(files.rejectedBodies, config.rejectedBytes, (err) =>
      log.warn({ err }, 'A rejected body could not be written'),
    ),
  );
  const clock = openServerClock({
    file: files.clock,
    newestRecord: () => newestRecord(config),
    clock: systemTime,
    log,
  });
  const opened = await openClickIndex(config.databaseUrl ?? pathToFileURL(files.clickIndex), {
    ledgerId: () => readLedgerId(files.ledgerId),
    keepMonths: config.keepMonths,
    trustedNow: clock.now,
    log,
  });
  const { clickIndex, indexedTo } = trackPosition(opened);
  const onTorn = (tail: string) => rejectedBodies.add(tornLine(tail));
  const ledger = openLedger(files.ledger, onTorn, watch.disk(disk));
  const ignored = ignoredFiles(files.ledger);
  if (ignored.length > 0) log.warn(describeIgnored(ignored, files.ledger));
  await clickIndex.position().catch((cause) => {
    // The server starts without the database: it serves the page, and takes clicks when the database answers.
    if (!clickIndex.isAway(cause)) throw cause;
  });
  const ledgerChanges = openLedgerChanges(files, log);
  const refillIndex = makeRefill({ clickIndex, files, ledger, ledgerChanges, log });
  const space = { folder: config.dataDir, minFreeBytes: config.minFreeBytes };
  const spaceWatch = watchSpace({ ...space, log });
  const recorder = createRecorder({
    clickIndex: watch.commits(clickIndex),
    ledger: keepSpaceFree(ledger, space),
    log,
    refillIndex,
    onLedgerChange: ledgerChanges.add,
    mirror,
    onSettled: watch.settled,
  });
  const overload = watchOverload({
    maxEventLoopDelayMs: config.maxEventLoopDelayMs,
    maxClickWaitMs: config.maxClickWaitMs,
    oldestWaitMs: recorder.oldestWaitMs,
    log,
  });
  const retention = startClickRetention({ config, clock, recorder, rejectedBodies, log });
  return {
    clock,
    clickIndex: countingOnceComplete(clickIndex, recorder),
    rejectedBodies,
    recorder,
    space: spaceWatch,
    ledgerChanges,
    overload,
    ledgerEnd: () => ledger.position(),
    /** Bytes of the ledger that the index lacks. */
    indexLag: () => bytesBetween(files.ledger, indexedTo(), ledger.position()),
    /** Waits for pending writes. */
    async close() {
      clock.close();
      spaceWatch.stop();
      overload.stop();
      // Together, because the retention may wait for the catching up that the recorder ends.
      await Promise.all([retention.stop(), recorder.close()]);
      await recorder.drain();
      await rejectedBodies.drain();
      for (const part of [clickIndex, ledger]) await part.close();
      unlock();
    },
  };
}

/** Completes what a crash of `clicks forget` has interrupted. Loaded only then. */
async function finishForgetting({ files }: Config, log: Logger): Promise<void> {
  const { finishForgetting } = await import('./clicks/forget/forget-clicks.ts');
  const finished = finishForgetting(files);
  if (finished) log.warn(finished);
}

interface RefillParts {
  clickIndex: ClickIndex;
  files: Config['files'];
  ledger: Ledger;
  ledgerChanges: Pick<LedgerChanges, 'addMissing'>;
  log: Logger;
}

function makeRefill({ clickIndex, files, ledger, ledgerChanges, log }: RefillParts) {
  const warn = (message: string) => log.warn(message);
  return async (signal: AbortSignal) => {
    const isNew = (await clickIndex.position()) === null;
    const end = ledger.position();
    const { added, forgotten, unreadable } = await catchUp(clickIndex, files.ledger, end, {
      warn,
      onMissing: ledgerChanges.addMissing,
      signal,
    });
    if (added > 0) log.info(`Took ${added} clicks from the ledger into the index`);
    if (forgotten > 0) log.info(`${forgotten} clicks are older than the ids in the index`);
    if (unreadable > 0) log.warn(`${unreadable} lines of the ledger are not clicks`);
    const missing = isNew ? describeDeleted(files.deletedClicks) : null;
    if (missing !== null) log.warn(missing);
  };
}

/** Hides the counts while they lack a part of the ledger. */
function countingOnceComplete(clickIndex: ClickIndex, recorder: Recorder): ClickIndex {
  return {
    ...clickIndex,
    async counts() {
      if (recorder.isCatchingUp())
        throw new Error('The click index is catching up with the ledger.');
      return clickIndex.counts();
    },
  };
}

/** Keeps an incomplete line from a crash with the rejected bodies, although its click was never acknowledged. */
function tornLine(tail: string) {
  return {
    reason: 'torn_line',
    body: tail,
    contentType: null,
    remote_ip: null,
    received_at: new Date().toISOString(),
  };
}
