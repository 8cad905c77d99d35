/** Opens all that is kept: the folder, the database, clicks with their log, registrations with their mails, and the retention. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
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
import { hasRegistrations } from './registrations/import-registrations.ts';
import type { MailPace } from './registrations/mail/sender.ts';
import { openRegistrations } from './registrations/registrations.ts';
import { startRetention } from './retention.ts';
import type { Settings } from './settings.ts';
import type { Metrics } from './watch/metrics.ts';

interface Options {
  log: Logger;
  /** Writes lines to standard output. It may lose them. */
  print: (lines: string) => void;
  /** Upper bound of clicks that wait for the database. */
  maxWaitingClicks?: number | undefined;
  /** The waits of the mails' sender. */
  mailPace?: Partial<MailPace> | undefined;
  /** null: nothing is counted for the metrics. */
  metrics?: Metrics | null | undefined;
  /** The clock of the retention, in milliseconds since 1970. */
  now?: (() => number) | undefined;
}

/** @throws (rejects with) an Error that says what is wrong with the data folder or the database */
export async function openData(
  config: Settings,
  site: BuiltSite,
  { log, print, maxWaitingClicks, mailPace, metrics, now }: Options,
) {
  const { dataDir, files } = config;
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(files.lock);
  const db = await openTables(config).catch((cause) => {
    unlock();
    throw cause;
  });
  const registrations = await openRegistrations(config, site, { db, log, pace: mailPace }).catch(
    async (cause) => {
      await db.close();
      unlock();
      throw cause;
    },
  );
  const server = hostname();
  const toPosthog = site.posthogKey !== null;
  const clickLog = openClickLog(dataDir, print);
  const refusedLog = openRefusedLog(dataDir, log, () => metrics?.refuse());
  const recorder = createRecorder({
    ...{ db, clickLog, log, server, toPosthog },
    maxWaiting: maxWaitingClicks,
    onCommit: (committed) => metrics?.commit(committed),
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

/** @throws (rejects with) an Error that says what to do with files of the version before whose content no table has */
async function openTables({ dataDir, files, databaseUrls }: Settings): Promise<Database> {
  const former = FORMER.map((one) => ({ ...one, path: join(dataDir, one.file) })).filter(
    ({ path, hasContent }) => existsSync(path) && hasContent(path),
  );
  // Before a database is made beside them.
  if (former.length > 0 && databaseUrls.length === 0 && !existsSync(files.database))
    throw refusal(former);
  const db = await openDatabase(databaseUrls.map(String), files.database);
  const missing: typeof former = [];
  for (const one of former) if (await isEmpty(db, one.table)) missing.push(one);
  if (missing.length === 0) return db;
  await db.close();
  throw refusal(missing);
}

/** Files of the version before, and the tables that now have their content. */
const FORMER = [
  { file: 'clicks.jsonl', table: 'clicks', hasContent: (path: string) => statSync(path).size > 0 },
  { file: 'registrations.sqlite', table: 'registrations', hasContent: hasRegistrations },
];

/** The server does not start, because its figures and commands would leave out the content of the files. */
function refusal(former: { path: string; table: string }[]): Error {
  const what = former.map(({ path, table }) => `${path} has ${table} of the version before.`);
  const paths = former.map(({ path }) => path.replace(/\.jsonl$/, '.jsonl*'));
  return new Error(
    `${what.join(' ')} Import them: npm run -s site -- import ${paths.join(' ')}
Or move the files away. The server then knows nothing of their content.`,
  );
}

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
