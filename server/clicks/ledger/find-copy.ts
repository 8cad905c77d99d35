/**
 * Finds a deleted ledger's lines in another ledger file. Packing a rotated file ends with the deletion of the unpacked one, which the
 * server may still have open.
 */
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Disk } from './disk.ts';
import { firstIdOf } from './first-line.ts';
import { type LedgerFile, syncFolder } from './ledger-file.ts';
import { ledgerFiles, readBytes } from './read-ledger.ts';

export interface Copy {
  path: string;
  /** Bytes of the deleted file that the copy has, up to the end of a line. */
  bytes: number;
}

/**
 * Compares every byte, because a line that is in no file is lost, and one that is in two files is only repeated.
 *
 * @param file the deleted file, still open
 * @returns null: no file has its first lines, or all that begin like it differ or are damaged
 */
export async function findCopy(file: LedgerFile, path: string, disk: Disk): Promise<Copy | null> {
  if (file.first === '') return null;
  let best: Copy | null = null;
  for (const one of ledgerFiles(path)) {
    const bytes = await commonBytes(file, one, disk).catch(() => 0);
    if (bytes > (best?.bytes ?? 0)) best = { path: one, bytes };
  }
  if (best !== null) await sync(best.path, disk);
  return best;
}

/** @returns the bytes of the whole lines that both have; 0: the files differ @throws if the other file cannot be read */
async function commonBytes(file: LedgerFile, other: string, disk: Disk): Promise<number> {
  if (firstIdOf(other) !== file.first) return 0;
  let at = 0;
  let lines = 0;
  // To its end, because an archive may turn out to be damaged there. That is an error here.
  for await (const chunk of readBytes(other, 0, Number.POSITIVE_INFINITY)) {
    // It may have lines of a failed group after the end. Their clicks were not acknowledged.
    const part = chunk.subarray(0, Math.max(0, file.end - at));
    const own = Buffer.alloc(part.length);
    const read = disk.readSync(file.fd, own, 0, own.length, at);
    if (read < part.length || !own.equals(part)) return 0;
    const newline = part.lastIndexOf(0x0a);
    if (newline >= 0) lines = at + newline + 1;
    at += chunk.length;
  }
  return lines;
}

/** The packing program may not have synced it, and the deleted file is about to be closed. */
async function sync(path: string, disk: Disk): Promise<void> {
  const fd = disk.openSync(path, 'r');
  try {
    await promisify(disk.fdatasync)(fd);
  } finally {
    disk.closeSync(fd);
  }
  syncFolder(dirname(path), disk);
}
