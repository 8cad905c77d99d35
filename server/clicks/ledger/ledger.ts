/**
 * The ledger: an append-only file of JSON lines, the record of truth.
 *
 * The recorder adds lines to the open group. `flush` writes the group to the disk with one write and one fdatasync.
 * The file contains a whole group or nothing of it, because a failure truncates the file to its previous end.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { closeTail } from './close-tail.ts';
import { describeChange } from './describe-change.ts';
import type { Disk } from './disk.ts';
import { firstIdIn } from './first-line.ts';
import type { LedgerChange } from './ledger-changes.ts';
import {
  closeFile,
  findChange,
  type LedgerFile,
  openFile,
  readFirstId,
  writeAll,
} from './ledger-file.ts';
import { type Restored, restoreLedger } from './restore-ledger.ts';

/** A place between two lines. */
export interface LedgerPosition {
  /** Inode of the file, since its name changes with rotation. */
  file: string;
  /** Bytes from the file's start, unpacked. */
  offset: number;
  /** Id of the file's first line, because systems reuse inodes. '': the file is empty, and no index stores the position. */
  first: string;
}

export interface Ledger {
  /** Adds a line, with its newline, to the open group. */
  write(line: string): void;
  /** Drops the open group. */
  discard(): void;
  /**
   * Writes the open group to the disk.
   * @returns the group's text and the ledger's new end
   * @throws the file system's error; the file is then as it was before, and the group is dropped
   */
  flush(): Promise<{ text: Buffer; position: LedgerPosition }>;
  /** Removes the last flushed group. Allowed only before its clicks are acknowledged. */
  undo(): void;
  /** Does the file have all that the server wrote, under a name that a restart reads? */
  isIntact(): boolean;
  /**
   * Makes `isIntact` true again after another program deleted, moved, cut or wrote the file. Restores the lines of a
   * deleted file. Not during a flush.
   * @returns the change; null: there was none that an operator must know
   * @throws the file system's error; then nothing has changed
   */
  mend(): Promise<LedgerChange | null>;
  /** Closes the file and opens the one that now has its name; for log rotation. Not during a flush. */
  reopen(): void;
  /** Writes and removes a page, to check that the disk can take a click. @throws the file system's error */
  probe(): Promise<void>;
  position(): LedgerPosition;
  close(): void;
}

/**
 * Opens or makes the ledger. An incomplete last line from a crash was never acknowledged. It is passed to `onTorn` and
 * cut off, because the next click would otherwise continue it.
 */
export function openLedger(path: string, onTorn: (tail: string) => void, disk: Disk = fs): Ledger {
  const syncData = promisify(disk.fdatasync);
  let group = '';
  let file = openFile(path, onTorn, disk);
  let before = { end: file.end, first: file.first };
  /** Bytes of a failed group may follow the end. */
  let dirty = false;

  /** @throws the file system's error; the next flush then tries again before it writes */
  const repair = () => {
    cutBack(file, disk);
    rewriteLastBlock(file, disk);
    dirty = false;
  };
  const tryRepair = () => {
    dirty = true;
    try {
      repair();
    } catch {
      // Still dirty: see repair.
    }
  };
  const use = (next: LedgerFile) => {
    closeFile(file, disk);
    file = next;
    dirty = false;
  };
  const position = () => ({ file: file.name, offset: file.end, first: file.first });
  const changed = () => findChange(file, path, dirty, disk);

  return {
    write(line) {
      group += line;
    },
    discard() {
      group = '';
    },
    async flush() {
      const text = Buffer.from(group);
      group = '';
      if (dirty) repair();
      before = { end: file.end, first: file.first };
      if (text.length === 0) return { text, position: position() };
      try {
        writeAll(file.fd, text, disk);
        await syncData(file.fd);
        checkWritten(file, text.length, disk);
      } catch (cause) {
        tryRepair();
        throw cause;
      }
      if (file.end === 0) file.first = firstIdIn(text);
      file.end += text.length;
      return { text, position: position() };
    },
    undo() {
      Object.assign(file, before);
      tryRepair();
    },
    isIntact() {
      try {
        return changed() === null;
      } catch {
        return false;
      }
    },
    async mend() {
      const change = changed();
      if (change === null) return null;
      const before = position();
      const { size } = disk.fstatSync(file.fd);
      let restored: Restored | null = null;
      if (change === 'deleted') restored = await restoreLedger(file, path, disk);
      if (change === 'deleted' || change === 'moved') use(openFile(path, onTorn, disk));
      else {
        file.end = closeTail(file.fd, onTorn, disk);
        file.first = readFirstId(file.fd, disk);
        dirty = false;
      }
      return describeChange(change, { path, before, size, end: file.end, restored });
    },
    reopen() {
      const next = openFile(path, onTorn, disk);
      if (dirty) tryRepair();
      use(next);
    },
    async probe() {
      if (dirty) repair();
      dirty = true;
      writeAll(file.fd, PROBE, disk);
      await syncData(file.fd);
      repair();
    },
    position,
    close() {
      closeFile(file, disk);
    },
  };
}

/** One page of spaces and a newline. If it stays after a crash, readers skip it as an empty line. */
const PROBE = Buffer.from(`${' '.repeat(4095)}\n`);

/** Never makes the file longer. After another program has cut it, the old length would add zeros. */
function cutBack({ fd, end }: LedgerFile, disk: Disk): void {
  if (disk.fstatSync(fd).size > end) disk.ftruncateSync(fd, end);
}

/** Largest memory page of any system. One failed write can lose this much. */
const BLOCK_BYTES = 64 * 1024;

/**
 * Rewrites the last page with acknowledged lines. After a failed fdatasync the system may mark unwritten pages as
 * written, and the next fdatasync would succeed without them.
 */
function rewriteLastBlock({ fd, patchFd, end }: LedgerFile, disk: Disk): void {
  const start = Math.floor(Math.max(0, end - 1) / BLOCK_BYTES) * BLOCK_BYTES;
  const bytes = Buffer.alloc(end - start);
  const read = disk.readSync(fd, bytes, 0, bytes.length, start);
  for (let done = 0; done < read; )
    done += disk.writeSync(patchFd, bytes, done, read - done, start + done);
}

/** @throws an Error if another program deleted or cut the file during the write */
function checkWritten({ fd, end }: LedgerFile, length: number, disk: Disk): void {
  const { nlink, size } = disk.fstatSync(fd);
  if (nlink > 0 && size >= end + length) return;
  throw Object.assign(new Error('The ledger was deleted or cut while it was being written.'), {
    code: 'ledger_changed',
  });
}
