/** One open ledger file: how it is opened, and what others may have done to it since. */
import { dirname } from 'node:path';
import { closeTail } from './close-tail.ts';
import type { Disk } from './disk.ts';
import { FIRST_LINE_BYTES, firstIdIn } from './first-line.ts';
import { rotatedFiles } from './read-ledger.ts';

export interface LedgerFile {
  /** In append mode: wherever somebody else truncates the file, a line never lands in the middle of it. */
  fd: number;
  /** Not in append mode, to write bytes once more where they are. */
  patchFd: number;
  /** Inode. */
  name: string;
  /** End of the last whole group, in bytes. */
  end: number;
  /** Id of the first line; '' when there is none. */
  first: string;
}

/** What happened to the file behind the server's back. */
export type Change = 'deleted' | 'moved' | 'truncated' | 'appended';

/** Opens the file, or begins it; closes its torn end. */
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
 * Compares the file with what the server wrote, and with what a restart would read: three calls, once per group.
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
    return 'moved';
  if (size < file.end) return 'truncated';
  return size > file.end && !mayHaveTail ? 'appended' : null;
}

const inodeAt = (path: string, disk: Disk) =>
  String(disk.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? '');

export function readFirstId(fd: number, disk: Disk): string {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  return firstIdIn(bytes.subarray(0, disk.readSync(fd, bytes, 0, bytes.length, 0)));
}

/** A new file outlives a power cut only when its folder has been written too. */
export function syncFolder(folder: string, disk: Disk): void {
  const fd = disk.openSync(folder, 'r');
  try {
    disk.fsyncSync(fd);
  } finally {
    disk.closeSync(fd);
  }
}

/** A write may take less than it is given, and says so. */
export function writeAll(fd: number, bytes: Buffer, disk: Disk): void {
  for (let done = 0; done < bytes.length; ) done += disk.writeSync(fd, bytes, done);
}
