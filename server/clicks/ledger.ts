/**
 * The ledger: an append-only file of JSON lines, the record of truth.
 *
 * pino writes its lines into the open group; `flush` brings the group to the disk in one write and one fdatasync.
 * A group stands there whole or not at all: after a failure the file is cut back to where it was.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { closeTail } from './close-tail.ts';

const syncData = promisify(fdatasync);

/** A place between two lines: which file (its inode: the name changes with rotation), and bytes from its start. */
export interface LedgerPosition {
  file: string;
  offset: number;
}

export interface Ledger {
  /** Adds a line, with its newline, to the open group; this is pino's side. */
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
  /** Closes the file and opens the one that now has its name; for log rotation. Not during a flush. */
  reopen(): void;
  /** Writes and takes back a page: can the disk hold a click? @throws the file system's error */
  probe(): void;
  position(): LedgerPosition;
  close(): void;
}

interface OpenFile {
  fd: number;
  name: string;
}

/**
 * Opens the ledger, or begins it. The torn line of a write that a crash cut short was never acknowledged: it is
 * handed to `onTorn` and cut off, so that it cannot swallow the next click.
 */
export function openLedger(path: string, onTorn: (tail: string) => void): Ledger {
  let group = '';
  let file = openFile(path);
  /** End of the last whole group. */
  let end = closeTail(file.fd, onTorn);
  let endBefore = end;
  /** Bytes of a failed group may stand behind `end`. */
  let dirty = false;

  /** @throws when the disk refuses even this; then the next flush tries again before it writes */
  const repair = () => {
    ftruncateSync(file.fd, end);
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
  const position = () => ({ file: file.name, offset: end });

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
      endBefore = end;
      if (text.length === 0) return { text, position: position() };
      try {
        writeAll(file.fd, text);
        await syncData(file.fd);
        end += text.length;
      } catch (cause) {
        tryRepair();
        throw cause;
      }
      return { text, position: position() };
    },
    undo() {
      end = endBefore;
      tryRepair();
    },
    reopen() {
      const next = openFile(path);
      if (dirty) tryRepair();
      closeSync(file.fd);
      file = next;
      end = closeTail(file.fd, onTorn);
      endBefore = end;
      dirty = false;
    },
    probe() {
      if (dirty) repair();
      dirty = true;
      writeAll(file.fd, PROBE);
      fdatasyncSync(file.fd);
      repair();
    },
    position,
    close() {
      closeSync(file.fd);
    },
  };
}

/** One page of spaces and a newline: should it stay, it is an empty line. */
const PROBE = Buffer.from(`${' '.repeat(4095)}\n`);

/** Append mode: wherever another hand truncates the file, a line never lands in the middle of it. */
function openFile(path: string): OpenFile {
  const fd = openSync(path, 'a+', 0o640);
  const { ino, size } = fstatSync(fd, { bigint: true });
  if (size === 0n) syncFolder(dirname(path));
  return { fd, name: String(ino) };
}

/** A new file outlives a power cut only when its folder has been written too. */
function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/** A write may take less than it is given, and says so. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
