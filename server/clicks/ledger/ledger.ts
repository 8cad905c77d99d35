/**
 * The ledger: an append-only file of JSON lines, the record of truth.
 *
 * The recorder adds lines to the open group; `flush` brings the group to the disk in one write and one fdatasync.
 * A group stands there whole or not at all: after a failure the file is cut back to where it was.
 */
import * as fs from 'node:fs';
import { promisify } from 'node:util';
import { closeTail } from './close-tail.ts';
import type { Disk } from './disk.ts';
import { firstIdIn } from './first-line.ts';
import {
  type Change,
  closeFile,
  findChange,
  type LedgerFile,
  openFile,
  readFirstId,
  writeAll,
} from './ledger-file.ts';
import { restoreLedger } from './restore-ledger.ts';

/** A place between two lines. */
export interface LedgerPosition {
  /** Inode of the file, since its name changes with rotation. */
  file: string;
  /** Bytes from the file's start, unpacked. */
  offset: number;
  /** Id of the file's first line, since inodes are used again. '': the file is empty, and no index keeps the position. */
  first: string;
}

export interface Ledger {
  /** Adds a line, with its newline, to the open group. */
  write(line: string): void;
  /** Drops the open group. */
  discard(): void;
  /**
   * Brings the open group to the disk.
   * @returns the group's text and the ledger's new end
   * @throws the file system's error; the file is then as it was before, and the group is dropped
   */
  flush(): Promise<{ text: Buffer; position: LedgerPosition }>;
  /** Takes the last flushed group back; only before anybody was told of it. */
  undo(): void;
  /** Does the file hold what the server wrote, under a name that a restart reads? */
  isIntact(): boolean;
  /**
   * Makes `isIntact` true again after somebody deleted, moved, cut or wrote the file. Lines of a deleted file are
   * written once more. Not during a flush.
   * @returns what happened, as a sentence for the log; null: nothing
   * @throws the file system's error; then nothing has changed
   */
  mend(): Promise<string | null>;
  /** Closes the file and opens the one that now has its name; for log rotation. Not during a flush. */
  reopen(): void;
  /** Writes and takes back a page: can the disk hold a click? @throws the file system's error */
  probe(): Promise<void>;
  position(): LedgerPosition;
  close(): void;
}

/**
 * Opens the ledger, or begins it. The torn line of a write that a crash cut short was never acknowledged: it is
 * handed to `onTorn` and cut off, so that it cannot swallow the next click.
 */
export function openLedger(path: string, onTorn: (tail: string) => void, disk: Disk = fs): Ledger {
  const syncData = promisify(disk.fdatasync);
  let group = '';
  let file = openFile(path, onTorn, disk);
  let before = { end: file.end, first: file.first };
  /** Bytes of a failed group may stand behind the end. */
  let dirty = false;

  /** @throws when the disk refuses even this; then the next flush tries again before it writes */
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
      const { end } = file;
      let copy = '';
      if (change === 'deleted') copy = await restoreLedger(file, path, disk);
      if (change === 'deleted' || change === 'moved') use(openFile(path, onTorn, disk));
      else {
        file.end = closeTail(file.fd, onTorn, disk);
        file.first = readFirstId(file.fd, disk);
        dirty = false;
      }
      return describe(change, { path, copy, lost: end - file.end });
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

/** One page of spaces and a newline: should it stay, it is an empty line. */
const PROBE = Buffer.from(`${' '.repeat(4095)}\n`);

/** Only ever shorter: where somebody else has cut the file, its old length would fill it up with zeros. */
function cutBack({ fd, end }: LedgerFile, disk: Disk): void {
  if (disk.fstatSync(fd).size > end) disk.ftruncateSync(fd, end);
}

/** The largest page of any system: what one failed write may have taken with it. */
const BLOCK_BYTES = 64 * 1024;

/**
 * After a failed fdatasync the system may take pages for written that are not, and the next fdatasync succeeds without
 * them. The last page with acknowledged lines is one of these: it is written once more, for the next fdatasync.
 */
function rewriteLastBlock({ fd, patchFd, end }: LedgerFile, disk: Disk): void {
  const start = Math.floor(Math.max(0, end - 1) / BLOCK_BYTES) * BLOCK_BYTES;
  const bytes = Buffer.alloc(end - start);
  const read = disk.readSync(fd, bytes, 0, bytes.length, start);
  for (let done = 0; done < read; )
    done += disk.writeSync(patchFd, bytes, done, read - done, start + done);
}

/** Somebody may have deleted or cut the file while the group was on its way. @throws when it is not all there */
function checkWritten({ fd, end }: LedgerFile, length: number, disk: Disk): void {
  const { nlink, size } = disk.fstatSync(fd);
  if (nlink > 0 && size >= end + length) return;
  throw Object.assign(new Error('The ledger was deleted or cut while it was being written.'), {
    code: 'ledger_changed',
  });
}

function describe(
  change: Change,
  { path, copy, lost }: { path: string; copy: string; lost: number },
): string {
  switch (change) {
    case 'deleted':
      return `${path} was deleted or replaced while the server wrote it; its lines are in ${copy} again`;
    case 'moved':
      return `${path} was moved away while the server wrote it, to where its lines are not counted; the server began a new one`;
    case 'truncated':
      return `Somebody cut ${lost} bytes off ${path} while the server wrote it; the server goes on at its end`;
    case 'appended':
      return `Somebody else wrote ${-lost} bytes to ${path}; the server goes on behind them`;
  }
}
