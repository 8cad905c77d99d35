/** Checks the data folder (DATA_DIR), and locks it against a second server. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Settings } from './settings.ts';

/**
 * Checks that the server may write to the data folder. If the folder does not exist yet, the folder
 * that will contain it must be writable. The check is needed because SQLite and a recursive `mkdir`
 * hide the system's error message.
 *
 * @throws the system's error if the server could not write there
 */
export function checkFolder({ dataDir, files }: Pick<Settings, 'dataDir' | 'files'>): void {
  const folder = findExistingFolder(dataDir);
  if (!statSync(folder).isDirectory())
    throw new Error(`DATA_DIR (${dataDir}) is a file, or is below one. Name a folder.`);
  accessSync(folder, constants.W_OK | constants.X_OK);
  const { lock, database } = files;
  for (const file of [lock, database, `${database}-wal`, `${database}-shm`])
    if (existsSync(file)) accessSync(file, constants.W_OK);
}

/** Returns the folder itself, or its closest parent that exists. */
export function findExistingFolder(folder: string): string {
  let place = folder;
  while (!existsSync(place)) place = dirname(place);
  return place;
}

const SQLITE_BUSY = 5;

/**
 * Locks the data folder with SQLite's lock on an empty file. The kernel releases the lock when the
 * process ends, so a crash leaves nothing to clean up.
 *
 * @returns a function that releases the lock
 * @throws an Error that says what to do if another process has the lock
 */
export function lockFolder(lockFile: string): () => void {
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
