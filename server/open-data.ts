/** Opens everything that keeps clicks: the folder, the database, the log, the recorder and the retention. */
import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { openClickLog } from './clicks/click-log.ts';
import { learnButtons } from './clicks/learn-buttons.ts';
import { createRecorder } from './clicks/record-clicks.ts';
import { openRefusedLog } from './clicks/refused-log.ts';
import { startRetention } from './clicks/retention.ts';
import type { StoreOptions } from './clicks/store-clicks.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import { lockFolder } from './lock-folder.ts';
import type { Settings } from './settings.ts';
import type { Tallies } from './watch/tallies.ts';

interface Options {
  log: Logger;
  /** Writes lines to standard output. It may lose them. */
  print: (lines: string) => void;
  /** Upper bound of clicks that wait for the database. */
  maxWaitingClicks?: number | undefined;
  /** null: nothing is counted for the metrics. */
  tallies?: Tallies | null | undefined;
}

/** @throws (rejects with) an Error that says what is wrong with the data folder or the database */
export async function openClicks(
  config: Settings,
  { posthogKey, clickRetentionDays }: BuiltSite,
  { log, print, maxWaitingClicks, tallies }: Options,
) {
  const { dataDir, files, databaseUrls } = config;
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(files.lock);
  const ledger = join(dataDir, 'clicks.jsonl');
  const isFormer = existsSync(ledger);
  const isNew = databaseUrls.length === 0 && !existsSync(files.database);
  if (isFormer && isNew) throw refusal(ledger);
  const db = await openDatabase(databaseUrls.map(String), files.database);
  if (isFormer && (await isEmpty(db))) {
    await db.close();
    throw refusal(ledger);
  }
  const server = hostname();
  const toPosthog = posthogKey !== null;
  const clickLog = openClickLog(dataDir, print);
  const refusedLog = openRefusedLog(dataDir, log, () => tallies?.refuse());
  const recorder = createRecorder({
    ...{ db, clickLog, log, server, toPosthog },
    maxWaiting: maxWaitingClicks,
    onCommit: (committed) => tallies?.commit(committed),
  });
  const stopLearning = startLearning(db, { server, toPosthog }, log);
  const stopRetention = startRetention({ db, folder: dataDir, clickRetentionDays, log });
  return {
    db,
    recorder,
    refusedLog,
    /** Waits for the clicks that have come. */
    async close() {
      await stopLearning();
      await stopRetention();
      await recorder.close();
      await db.close();
      clickLog.close();
      refusedLog.close();
      unlock();
    },
  };
}

/** A server that starts anew would count the clicks of the version before as none. */
const refusal = (ledger: string) =>
  new Error(
    `${ledger} has clicks of the version before, which this version cannot read yet. Set another DATA_DIR, or move the file away: its clicks then count in no figure.`,
  );

/** @returns false also while the database is away, because the answer is unknown then */
async function isEmpty(db: Database): Promise<boolean> {
  const clicks = await db.read('SELECT 1 FROM clicks LIMIT 1').catch(() => null);
  return clicks?.length === 0;
}

/** While the database is away, the next attempt comes after this time. */
const LEARN_AGAIN_MS = 60_000;

/** Counts clicks on buttons that no server knew before. @returns a function that waits for the attempt under way */
function startLearning(db: Database, options: StoreOptions, log: Logger): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const learn = async () => {
    try {
      const clicks = await db.transaction(learnButtons, options);
      if (clicks > 0) log.info(`Counted ${clicks} clicks on buttons that this version knows`);
    } catch {
      // The recorder says why the database takes nothing.
      timer = setTimeout(() => (learning = learn()), LEARN_AGAIN_MS).unref();
    }
  };
  let learning = learn();
  return async () => {
    await learning;
    clearTimeout(timer);
  };
}
