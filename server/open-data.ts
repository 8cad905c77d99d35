/** Opens all that is kept: the folder, the database, clicks with their log, registrations with their mails, and the retention. */
import { existsSync, mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { openClickLog } from './clicks/click-log.ts';
import { learnButtons } from './clicks/learn-buttons.ts';
import { createRecorder } from './clicks/record-clicks.ts';
import { openRefusedLog } from './clicks/refused-log.ts';
import type { StoreOptions } from './clicks/store-clicks.ts';
import type { Database } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import { lockFolder } from './lock-folder.ts';
import type { MailPace } from './registrations/mail/sender.ts';
import { openRegistrations } from './registrations/registrations.ts';
import { startRetention } from './retention.ts';
import type { Settings } from './settings.ts';
import type { Tallies } from './watch/tallies.ts';

interface Options {
  log: Logger;
  /** Writes lines to standard output. It may lose them. */
  print: (lines: string) => void;
  /** Upper bound of clicks that wait for the database. */
  maxWaitingClicks?: number | undefined;
  /** The waits of the mails' sender. */
  mailPace?: Partial<MailPace> | undefined;
  /** null: nothing is counted for the metrics. */
  tallies?: Tallies | null | undefined;
  /** The clock of the retention, in milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/** @throws (rejects with) an Error that says what is wrong with the data folder or the database */
export async function openData(
  config: Settings,
  site: BuiltSite,
  { log, print, maxWaitingClicks, mailPace, tallies, now }: Options,
) {
  const { dataDir, files, databaseUrls } = config;
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(files.lock);
  const former = FORMER.filter(({ file }) => existsSync(join(dataDir, file)));
  const isNew = databaseUrls.length === 0 && !existsSync(files.database);
  if (former[0] && isNew) throw refusal(dataDir, former[0]);
  const db = await openDatabase(databaseUrls.map(String), files.database);
  for (const one of former)
    if (await isEmpty(db, one.table)) {
      await db.close();
      throw refusal(dataDir, one);
    }
  const registrations = await openRegistrations(config, site, { db, log, pace: mailPace }).catch(
    async (cause) => {
      await db.close();
      throw cause;
    },
  );
  const server = hostname();
  const toPosthog = site.posthogKey !== null;
  const clickLog = openClickLog(dataDir, print);
  const refusedLog = openRefusedLog(dataDir, log, () => tallies?.refuse());
  const recorder = createRecorder({
    ...{ db, clickLog, log, server, toPosthog },
    maxWaiting: maxWaitingClicks,
    onCommit: (committed) => tallies?.commit(committed),
  });
  const stopLearning = startLearning(db, { server, toPosthog }, log);
  const stopRetention = startRetention({ db, folder: dataDir, site, log, now });
  return {
    db,
    recorder,
    refusedLog,
    registrations,
    /** Waits for the clicks that have come, and a moment for the mail under way. */
    async close() {
      await stopLearning();
      await registrations.stopMails();
      await recorder.close();
      await stopRetention();
      await db.close();
      clickLog.close();
      refusedLog.close();
      unlock();
    },
  };
}

/** Files of the version before, and the tables that now have their content. */
const FORMER = [
  { file: 'clicks.jsonl', table: 'clicks' },
  { file: 'registrations.sqlite', table: 'registrations' },
];

/** The server does not start, because its figures and commands would leave out the content of the file. */
const refusal = (dataDir: string, { file, table }: (typeof FORMER)[number]) =>
  new Error(
    `${join(dataDir, file)} has ${table} of the version before, which this version cannot read yet. Set another DATA_DIR, or move the file away: the server then knows nothing of its ${table}.`,
  );

/** @returns false also while the database is away, because the answer is unknown then */
async function isEmpty(db: Database, table: string): Promise<boolean> {
  const rows = await db.read(`SELECT 1 FROM ${table} LIMIT 1`).catch(() => null);
  return rows?.length === 0;
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
