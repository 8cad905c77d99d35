/**
 * Opens all that is kept: the folder, the database, clicks with their log, and the registrations'
 * keys.
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
  /** Writes lines to standard output. It may lose them. */
  print: (lines: string) => void;
  maxWaitingClicks?: number | undefined;
  /** null: nothing is counted for the metrics. */
  metrics?: Metrics | null | undefined;
  /** The time since the start, by a clock that does not follow the machine's date. */
  uptime?: Clock | undefined;
}

export type Data = Awaited<ReturnType<typeof openData>>;

/** @throws (rejects with) an Error that says what is wrong with the data folder or the database */
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
  // Closes all in the reverse order, also when one of them cannot be opened.
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
  // After the recorder, whose last commit may end with a probe.
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
    /** Waits for the clicks that have come. */
    close: () => all.disposeAsync(),
  };
}

function compareWithLog(
  { dataDir: folder, files: { database } }: Settings,
  { clickRetentionDays: days }: BuiltSite,
  db: Database,
  log: Logger,
) {
  const keptSince = days > 0 ? clicksKeptSince(days, Date.now()) : 0;
  return compareLog({ folder, database, keptSince, db, log });
}
