/** Opens a ledger file, and finds changes that other programs made to it. */
import { dirname } from 'node:path';
import { closeTail } from './close-tail.ts';
import type { Disk } from './disk.ts';
import { FIRST_LINE_BYTES, firstIdIn } from './first-line.ts';
import { rotatedFiles } from './read-ledger.ts';

export interface LedgerFile {
  /** In append mode, so that a line never lands inside the file after another program truncates it. */
  fd: number;
  /** Not in append mode, to rewrite bytes in place. */
  patchFd: number;
  /** Inode. */
  name: string;
  /** End of the last whole group, in bytes. */
  end: number;
  /** Id of the first line; '' when there is none. */
  first: string;
}

/** A change of the file by another program. */
export type Change = 'deleted' | 'moved' | 'truncated' | 'appended';

/** Opens or makes the file, and repairs an incomplete last line. */
export function openFile(path: string, onTorn: (tail: string) => void, disk: Disk): LedgerFile {
  const fd = disk.openSync(path, 'a+', 0o640);
  try {
    const { ino, size } = disk.fstatSync(fd, { bigint: true });
    if (size === 0n) syncFolder(dirname(path), disk);
    const end = closeTail(fd, onTorn, disk);
    const patchFd = openForPatches(path, ino, disk);
    return { fd, patchFd, name: String(ino), end, first: readFirstId(fd, disk) };
  } catch (cause) {
    disk.closeSync(fd);
    throw cause;
  }
}

function openForPatches(path: string, inode: bigint, disk: Disk): number {
  const fd = disk.openSync(path, 'r+');
  if (disk.fstatSync(fd, { bigint: true }).ino === inode) return fd;
  disk.closeSync(fd);
  throw new Error(`${path} was replaced while it was being opened.`);
}

export function closeFile({ fd, patchFd }: LedgerFile, disk: Disk): void {
  for (const one of [fd, patchFd]) disk.closeSync(one);
}

/**
 * Compares the file with the server's writes, and with the files that a restart would read. Three system calls.
 *
 * @param mayHaveTail bytes of a failed group may follow the end
 */
export function findChange(
  file: LedgerFile,
  path: string,
  mayHaveTail: boolean,
  disk: Disk,
): Change | null {
  const { nlink, size } = disk.fstatSync(file.fd, { bigint: true });
  if (nlink === 0n) return 'deleted';
  const isInPlace = inodeAt(path, disk) === file.name;
  if (!isInPlace && !rotatedFiles(path).some((name) => inodeAt(name, disk) === file.name))
    // Packing ends with the deletion of the unpacked file, perhaps just now.
    return disk.fstatSync(file.fd).nlink === 0 ? 'deleted' : 'moved';
  if (size < file.end) return 'truncated';
  return size > file.end && !mayHaveTail ? 'appended' : null;
}

const inodeAt = (path: string, disk: Disk) =>
  String(disk.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? '');

export function readFirstId(fd: number, disk: Disk): string {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  return firstIdIn(bytes.subarray(0, disk.readSync(fd, bytes, 0, bytes.length, 0)));
}

/** Syncs the folder, because otherwise a power cut may lose a new file. */
export function syncFolder(folder: string, disk: Disk): void {
  const fd = disk.openSync(folder, 'r');
  try {
    disk.fsyncSync(fd);
  } finally {
    disk.closeSync(fd);
  }
}

/** Repeats short writes until all bytes are written. */
export function writeAll(fd: number, bytes: Buffer, disk: Disk): void {
  for (let done = 0; done < bytes.length; ) done += disk.writeSync(fd, bytes, done);
}
