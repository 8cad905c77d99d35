/**
 * Watches SQLite's file and its write-ahead log. A process that has them open goes on with what was
 * deleted or replaced, and all that it has acknowledged since then is gone after its end.
 *
 * A server writes two numbers into the header of the file: `application_id` is drawn at its start,
 * and `user_version` grows before each checkpoint. So the header tells whether the file is still
 * the one that this server has written last. Backups have other numbers.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseFault } from '../database.ts';

/** https://www.sqlite.org/fileformat.html#the_database_header */
const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;
const PAGES_AT = 28;
const GENERATION_AT = 60;
const RUN_AT = 68;

interface Header {
  /** `application_id`: of the server's start. */
  run: number;
  /** `user_version`: grows before each checkpoint. */
  generation: number;
  /** Bytes that the file must have. */
  bytes: number;
}

/** Where the files are: moved, deleted or replaced files have another one, or none. */
export type Place = ReturnType<typeof placeOf>;

export function placeOf(path: string) {
  const inodeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.ino;
  return { main: inodeOf(path), log: inodeOf(`${path}-wal`) };
}

/** @returns the name of the file that was moved, deleted or replaced since; null: none was */
export function findMoved(path: string, opened: Place): string | null {
  const now = placeOf(path);
  if (now.main !== opened.main) return path;
  return now.log === opened.log ? null : `${path}-wal`;
}

/**
 * Watches what is in the file. Only a checkpoint writes into it, so that most calls of `check` read
 * no byte.
 *
 * @param run the `application_id` of this server. The file may still have an older one
 */
export function watchContent(path: string, run: number) {
  let seen = '';
  let known: Header | null = null;
  return {
    /** The `user_version` of the file, as it was read last. */
    generation: () => known?.generation ?? 0,
    /** @throws a DatabaseFault if the file was overwritten in its place, or is damaged */
    check(): void {
      const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
      const state = `${stat?.ctimeNs} ${stat?.size}`;
      if (state === seen) return;
      const found = readHeader(path);
      if (!found || (known && isForeign(found, known, Number(stat?.size))))
        throw new DatabaseFault(describeOverwritten(path, found === null), 'overwritten');
      known = found;
      seen = state;
    },
  };

  function isForeign(found: Header, last: Header, size: number): boolean {
    const isOwn = found.run === run || found.run === last.run;
    return !isOwn || found.generation < last.generation || size < Math.min(found.bytes, last.bytes);
  }
}

/** @returns null if the file has no header of SQLite */
function readHeader(path: string): Header | null {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES) return null;
  } finally {
    closeSync(file);
  }
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) return null;
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return {
    run: header.readInt32BE(RUN_AT),
    generation: header.readInt32BE(GENERATION_AT),
    bytes: header.readUInt32BE(PAGES_AT) * pageSize,
  };
}

const describeOverwritten = (path: string, isDamaged: boolean): string =>
  `${path} was overwritten while the server ran${isDamaged ? ', and is damaged' : ', perhaps with an older copy'}. Stop the server, restore the newest backup, start it, and import the log (docs/operations.md, "Back up and restore").`;
