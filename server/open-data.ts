/**
 * Opens all that is kept: the folder, the database, clicks with their log, and the registrations'
 * keys.
 */
import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { openClickLog } from './clicks/click-log.ts';
import { createRecorder } from './clicks/record-clicks.ts';
import { openRefusedLog } from './clicks/refused-log.ts';
import { openDatabase } from './database/database.ts';
import { watchWrites } from './database/write-health.ts';
import { findKeys, openRing } from './registrations/encryption.ts';
import type { Settings } from './settings.ts';
import type { Metrics } from './watch/metrics.ts';

interface Options {
  log: Logger;
  /** Writes lines to standard output. It may lose them. */
  print: (lines: string) => void;
  maxWaitingClicks?: number | undefined;
  /** null: nothing is counted for the metrics. */
  metrics?: Metrics | null | undefined;
}

export type Data = Awaited<ReturnType<typeof openData>>;

/** @throws (rejects with) an Error that says what is wrong with the data folder or the database */
export async function openData(
  config: Settings,
  site: BuiltSite,
  { log, print, maxWaitingClicks, metrics }: Options,
) {
  const { dataDir, files } = config;
  const store = { server: hostname(), toPosthog: site.posthogKey !== null };
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
  const db = await openDatabase(config.databaseUrls.map(String), files.database);
  opened.defer(() => db.close());
  const ring = await openRing(keys, db);
  const health = watchWrites({ db, server: store.server, log });
  const recorder = createRecorder({
    db,
    clickLog,
    health,
    store,
    maxWaiting: maxWaitingClicks,
    onCommit: (...committed) => metrics?.commit(...committed),
  });
  // After the recorder, whose last commit may end with a probe.
  opened.defer(health.close);
  opened.defer(() => recorder.close());
  const all = opened.move();
  /** `close` waits for the clicks that have come. */
  return { db, health, recorder, refusedLog, ring, store, close: () => all.disposeAsync() };
}

const SQLITE_BUSY = 5;

/**
 * Allows one server per data folder, with SQLite's lock on an empty file. The kernel releases it when the process ends, so a
 * crash leaves nothing to clean up.
 *
 * @returns a function that releases the lock. @throws an Error that says what to do, if another process has it
 */
function lockFolder(lockFile: string): () => void {
  const lock = new DatabaseSync(lockFile);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new Error(
      `Another server has locked ${lockFile}. Stop it first, or give this one its own DATA_DIR.`,
      { cause },
    );
  }
  return () => lock.close();
}

/** @param error of a start: one of the system, or of SQLite, which has an `errcode` alone @returns what to do, or the error's own message */
export function explainError(
  error: NodeJS.ErrnoException & { errcode?: number },
  { dataDir, HOST, PORT }: Pick<Settings, 'dataDir' | 'HOST' | 'PORT'>,
): string {
  const { code, syscall, path, errcode, message } = error;
  if (code === 'EADDRINUSE')
    return `Another program listens on port ${PORT} of ${HOST} (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.`;
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return `The server cannot listen on port ${PORT} of ${HOST} (${code}). Correct HOST (localhost, or 0.0.0.0 for all addresses) or PORT (above 1023).`;
  const isOfFolder = path?.startsWith(dataDir) || dataDir.startsWith(path ?? '\0');
  if (errcode === undefined && !isOfFolder) return message;
  return `The server may not write in DATA_DIR (${dataDir}): ${message}. The folder and its files must belong to the user with the id ${process.getuid?.() ?? '(yours)'}, on a disk with free space.`;
}

/**
 * A folder that is missing will be made. SQLite and a recursive `mkdir` do not pass the system's message on.
 *
 * @throws the system's error if the server could not write there
 */
export function checkFolder({ dataDir, files }: Pick<Settings, 'dataDir' | 'files'>): void {
  let place = dataDir;
  while (!existsSync(place)) place = dirname(place);
  if (!statSync(place).isDirectory())
    throw new Error(`DATA_DIR (${dataDir}) is a file, or is below one. Name a folder.`);
  accessSync(place, constants.W_OK | constants.X_OK);
  const { lock, database } = files;
  for (const file of [lock, database, `${database}-wal`, `${database}-shm`])
    if (existsSync(file)) accessSync(file, constants.W_OK);
}
