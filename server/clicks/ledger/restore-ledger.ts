/** Restores a ledger that was deleted or replaced while the server had it open. The open file still has its lines. */
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Disk } from './disk.ts';
import { type LedgerFile, syncFolder, writeAll } from './ledger-file.ts';

const CHUNK_BYTES = 1024 * 1024;

export interface Restored {
  /** The path of the copy. */
  copy: string | null;
  other: string | null;
  bytes: number;
}

/**
 * Copies the lines to the ledger's own name, or to a rotated file's name if another file has that name now.
 *
 * @throws the file system's error; then there is no copy
 */
export async function restoreLedger(file: LedgerFile, path: string, disk: Disk): Promise<Restored> {
  const isFree = disk.statSync(path, { throwIfNoEntry: false }) === undefined;
  const copy = isFree ? path : rotatedName(path, new Date());
  const fd = disk.openSync(copy, 'ax', 0o640);
  try {
    await copyLines(file, fd, disk);
    await promisify(disk.fdatasync)(fd);
    syncFolder(dirname(path), disk);
    return { copy, other: null, bytes: file.end };
  } catch (cause) {
    disk.rmSync(copy, { force: true });
    throw cause;
  } finally {
    disk.closeSync(fd);
  }
}

/** Copies in pieces, so that the server can answer other requests in between. */
async function copyLines(from: LedgerFile, to: number, disk: Disk): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = 0; at < from.end; ) {
    const length = Math.min(chunk.length, from.end - at);
    const read = disk.readSync(from.fd, chunk, 0, length, at);
    if (read === 0) return;
    writeAll(to, chunk.subarray(0, read), disk);
    at += read;
    await nextTurn();
  }
}

/** A name like those of deploy/logrotate: `clicks.jsonl-20260131-1769851800`. */
function rotatedName(path: string, now: Date): string {
  const day = now.toISOString().slice(0, 10).replaceAll('-', '');
  return `${path}-${day}-${Math.floor(now.getTime() / 1000)}`;
}
