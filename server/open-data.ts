/**
 * Opens everything that stores data: the folder, the database, the logs, and the keys of
 * registrations.
 */
import { mkdirSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { openClickLog } from './clicks/click-log.ts';
import { compareLog } from './clicks/compare-log.ts';
import { clicksKeptSince } from './clicks/id-time.ts';
import { createRecorder } from './clicks/record-clicks.ts';
import { openRefusedLog } from './clicks/refused-log.ts';
import { watchClock } from './clicks/watch-clock.ts';
import { checkFolder, lockFolder } from './data-folder.ts';
import { type Database, openDatabase } from './database/database.ts';
import { watchWrites } from './database/write-health.ts';
import { findKeys, openRing } from './registrations/key-ring.ts';
import type { Settings } from './settings.ts';
import type { Clock } from './time.ts';
import type { Metrics } from './watch/metrics.ts';

interface Options {
  log: Logger;
  /** Writes lines to standard output. It may drop them. */
  print: (lines: string) => void;
  maxWaitingClicks?: number | undefined;
  /** Null: there are no metrics. */
  metrics?: Metrics | null | undefined;
  /** Milliseconds since the start, by a clock that does not follow the machine's date. */
  uptime?: Clock | undefined;
}

export type Data = Awaited<ReturnType<typeof openData>>;

/**
 * Opens everything, or nothing if one part fails.
 *
 * @throws (rejects with) an Error that says what is wrong with the data folder or the database
 */
export async function openData(
  config: Settings,
  site: BuiltSite,
  { log, print, maxWaitingClicks, metrics, uptime }: Options,
) {
  const { dataDir, files } = config;
  const storeOptions = { server: hostname(), toPosthog: site.posthogKey !== null };
  const keys = findKeys(config);
  checkFolder(config);
  mkdirSync(dataDir, { recursive: true });
  // Closes the opened parts in reverse order, also if a later one cannot be opened.
  await using opened = new AsyncDisposableStack();
  opened.defer(lockFolder(files.lock));
  const refusedLog = openRefusedLog(dataDir, log);
  opened.defer(refusedLog.close);
  const clickLog = openClickLog(dataDir, print);
  opened.defer(clickLog.close);
  const urls = config.databaseUrls.map(String);
  const db = await openDatabase(urls, files.database, { isServer: true });
  opened.defer(() => db.close());
  const ring = await openRing(keys, db);
  const health = watchWrites({ db, server: storeOptions.server, log });
  const recorder = createRecorder({
    db,
    clickLog,
    health,
    storeOptions,
    maxWaiting: maxWaitingClicks,
    onCommit: (...committed) => metrics?.commit(...committed),
  });
  // Deferred first, so that it closes after the recorder, whose last commit may start a probe.
  opened.defer(health.close);
  opened.defer(() => recorder.close());
  const comparison = db.kind === 'sqlite' ? compareWithLog(config, site, db, log) : null;
  opened.defer(async () => comparison?.close());
  const clock = watchClock({ log, uptime });
  const all = opened.move();
  return {
    db,
    health,
    recorder,
    refusedLog,
    ring,
    storeOptions,
    comparison,
    clock,
    /** Closes everything after the clicks that have arrived. */
    close: () => all.disposeAsync(),
  };
}

/** Prepares the comparison of the click log with SQLite's table. serve.ts starts it. */
function compareWithLog(
  { dataDir: folder, files: { database } }: Settings,
  { clickRetentionDays: days }: BuiltSite,
  db: Database,
  log: Logger,
) {
  const keptSince = days > 0 ? clicksKeptSince(days, Date.now()) : 0;
  return compareLog({ folder, database, keptSince, db, log });
}
