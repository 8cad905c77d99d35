/**
 * Replaces lines of a file by others of the same length, in place. All other lines keep their bytes and their places, so that
 * a running server can go on appending, and every stored position in the ledger stays right.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';

export interface Patch {
  /** Byte at which the line begins. */
  offset: number;
  /** The line as it was, without its newline. Null after a crash: the line may be half written. */
  from: Buffer | null;
  /** The new line, of the same number of bytes. */
  to: string;
}

/** Pads a line with spaces, which JSON allows at its end. @throws an Error if it is longer than that */
export function padTo(line: string, bytes: number): string {
  const missing = bytes - Buffer.byteLength(line);
  if (missing >= 0) return line + ' '.repeat(missing);
  throw new Error(`A line of ${bytes} bytes is too short to be replaced by ${line}`);
}

/**
 * Writes the patches and syncs the file. The time of its last change stays, because it orders rotated files.
 *
 * @returns the patches whose lines were found at their places
 * @throws the file system's error
 */
export function patchFile(path: string, patches: readonly Patch[]): Patch[] {
  const fd = openSync(path, 'r+');
  try {
    const { atime, mtime } = fstatSync(fd);
    const done = patches.filter((patch) => isInPlace(fd, patch));
    for (const { offset, to } of done) writeFully(fd, Buffer.from(to), offset);
    fsyncSync(fd);
    futimesSync(fd, atime, mtime);
    return done;
  } finally {
    closeSync(fd);
  }
}

/** Does the line begin and end there, and is it the line that was read? */
function isInPlace(fd: number, { offset, from, to }: Patch): boolean {
  const before = Math.min(offset, 1);
  const bytes = Buffer.alloc(before + Buffer.byteLength(to) + 1);
  if (readSync(fd, bytes, 0, bytes.length, offset - before) < bytes.length) return false;
  const line = bytes.subarray(before, -1);
  const isWholeLine = (before === 0 || bytes[0] === NEWLINE) && bytes.at(-1) === NEWLINE;
  return isWholeLine && (from === null ? !line.includes(NEWLINE) : line.equals(from));
}

const NEWLINE = 0x0a;

function writeFully(fd: number, bytes: Buffer, offset: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, offset + done);
}
