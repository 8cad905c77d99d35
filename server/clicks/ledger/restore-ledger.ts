/** Restores a ledger that was deleted or replaced while the server had it open. The open file still has its lines. */
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Disk } from './disk.ts';
import { findCopy } from './find-copy.ts';
import { type LedgerFile, syncFolder, writeAll } from './ledger-file.ts';

const CHUNK_BYTES = 1024 * 1024;

export interface Restored {
  /** The file with the lines that were written again; null: another file has all lines. */
  copy: string | null;
  /** Another file of the ledger that has the lines, or all but the last ones; null: none is known to have them. */
  other: string | null;
  /** Number of bytes that were written again. */
  bytes: number;
}

/**
 * Copies the lines that no other file of the ledger has. The copy gets the ledger's own name, or a rotated file's name if another file
 * has that name now.
 *
 * @throws the file system's error; then there is no copy
 */
export async function restoreLedger(file: LedgerFile, path: string, disk: Disk): Promise<Restored> {
  const found = await findCopy(file, path, disk);
  const [other, from] = [found?.path ?? null, found?.bytes ?? 0];
  if (other !== null && from >= file.end) return { copy: null, other, bytes: 0 };
  const isFree = disk.statSync(path, { throwIfNoEntry: false }) === undefined;
  const copy = isFree ? path : rotatedName(path, new Date());
  const fd = disk.openSync(copy, 'ax', 0o640);
  try {
    await copyLines(file, from, fd, disk);
    await promisify(disk.fdatasync)(fd);
    syncFolder(dirname(path), disk);
    return { copy, other, bytes: file.end - from };
  } catch (cause) {
    disk.rmSync(copy, { force: true });
    throw cause;
  } finally {
    disk.closeSync(fd);
  }
}

/** Copies in pieces, so that the server can answer other requests in between. */
async function copyLines(file: LedgerFile, from: number, to: number, disk: Disk): Promise<void> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let at = from; at < file.end; ) {
    const length = Math.min(chunk.length, file.end - at);
    const read = disk.readSync(file.fd, chunk, 0, length, at);
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
