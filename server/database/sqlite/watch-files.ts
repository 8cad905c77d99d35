/**
 * Detects that SQLite's file or its write-ahead log was deleted, replaced or overwritten. A process
 * with open files does not notice that, and everything it acknowledges from then on is lost when it
 * ends.
 *
 * The server writes two numbers into the file's header: `application_id` is random for each start,
 * and `user_version` grows before each checkpoint. By them the server recognises the file that it
 * wrote last. A backup has other numbers.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseFault } from '../database.ts';

/** The beginning of the header: https://www.sqlite.org/fileformat.html#the_database_header */
const MAGIC_TEXT = 'SQLite format 3\0';
const HEADER_BYTES = 100;
/** Offsets in the header, in bytes. */
const PAGES_AT = 28;
const GENERATION_AT = 60;
const RUN_AT = 68;

interface Header {
  /** `application_id`: a random number of each server start. */
  runId: number;
  /** `user_version`: grows before each checkpoint. */
  generation: number;
  /** The size that the file must at least have, in bytes. */
  bytes: number;
}

/** Inodes of the two files; undefined: there is no such file. A replaced file has another inode. */
export type Inodes = ReturnType<typeof readInodes>;

export function readInodes(path: string) {
  const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;
  return { main: inodeOf(path), log: inodeOf(`${path}-wal`) };
}

/**
 * Returns the path of the file that was moved, deleted or replaced since `readInodes`. Null:
 * neither.
 */
export function findReplacedFile(path: string, opened: Inodes): string | null {
  const now = readInodes(path);
  if (now.main !== opened.main) return path;
  return now.log === opened.log ? null : `${path}-wal`;
}

/**
 * Watches the header of the main file. Only checkpoints write to that file. So most calls of
 * `check` see the same time of change, and read nothing.
 *
 * @param runId the `application_id` of this process. The file may still have the one of an earlier
 * process
 */
export function watchHeader(path: string, run: number) {
  let seenState = '';
  let lastHeader: Header | null = null;
  return {
    /** The `user_version` that was read last. */
    generation: () => lastHeader?.generation ?? 0,
    /**
     * Checks the header if the file has changed.
     *
     * @throws a DatabaseFault if another program has overwritten the file, or if it is damaged
     */
    check(): void {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      const state = `${stat?.ctimeNs} ${stat?.size}`;
      if (state === seenState) return;
      const found = readHeader(path);
      if (!found || (lastHeader && isForeign(found, lastHeader, Number(stat?.size))))
        throw new DatabaseFault(describeOverwritten(path, found === null), 'overwritten');
      lastHeader = found;
      seenState = state;
    },
  };

  function isForeign(found: Header, last: Header, size: number): boolean {
    const isOwn = found.runId === run || found.runId === last.runId;
    return !isOwn || found.generation < last.generation || size < Math.min(found.bytes, last.bytes);
  }
}

/** Reads the header. @returns null if the file is not a SQLite database */
function readHeader(path: string): Header | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, MAGIC_TEXT.length) !== MAGIC_TEXT) return null;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return {
    runId: header.readInt32BE(RUN_AT),
    generation: header.readInt32BE(GENERATION_AT),
    bytes: header.readUInt32BE(PAGES_AT) * pageSize,
  };
}

const describeOverwritten = (path: string, isDamaged: boolean): string =>
  `${path} was overwritten while the server ran${isDamaged ? ', and is damaged' : ', perhaps with an older copy'}. Stop the server, restore the newest backup, start it, and import the log (docs/operations.md, "Back up and restore").`;
