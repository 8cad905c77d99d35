/**
 * Allows one server per data folder, with SQLite's lock on an empty file. The kernel releases it when the process ends, so a
 * crash leaves nothing to clean up.
 */
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** @returns a function that releases the lock. @throws an Error that says what to do, if another process has the lock */
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
