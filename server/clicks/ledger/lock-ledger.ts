/**
 * One writer per ledger. The lock is SQLite's own lock on an empty file: the kernel lets go of it when the process
 * dies, however it dies, so there is nothing to clean up after a crash.
 */
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/**
 * @returns a function that lets go of the lock
 * @throws an Error that says what to do, when another process holds it
 */
export function lockLedger(lockFile: string, ledgerFile: string): () => void {
  const lock = new DatabaseSync(lockFile);
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if ((cause as { errcode?: number }).errcode !== SQLITE_BUSY) throw cause;
    throw new Error(
      `Another process is writing ${ledgerFile}. Stop it first, or give this one a DATA_DIR of its own.`,
      { cause },
    );
  }
  return () => lock.close();
}
