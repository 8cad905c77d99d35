/** What a crash may leave at a ledger's end: a line without its newline, or half a line. */
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs';

const NEWLINE = 0x0a;
/** Far above any line: a click's body has at most 4 KB. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Makes the file end with a newline. A whole line that lacks only its newline gets it; half a line is cut off and
 * handed to `onTorn`.
 *
 * @returns the file's size in bytes
 */
export function closeTail(fd: number, onTorn: (tail: string) => void): number {
  const { size } = fstatSync(fd);
  const tail = readTail(fd, size);
  if (tail.length === 0) return size;
  const text = tail.toString('utf8');
  if (isWhole(text)) return size + writeSync(fd, '\n');
  onTorn(text);
  ftruncateSync(fd, size - tail.length);
  return size - tail.length;
}

/** The bytes after the last newline. */
function readTail(fd: number, size: number): Buffer {
  let tail: Buffer = Buffer.alloc(0);
  for (let start = size; start > 0; ) {
    const length = Math.min(CHUNK_BYTES, start);
    start -= length;
    const chunk = Buffer.alloc(length);
    readSync(fd, chunk, 0, length, start);
    const newline = chunk.lastIndexOf(NEWLINE);
    tail = Buffer.concat([chunk.subarray(newline + 1), tail]);
    if (newline >= 0) break;
  }
  return tail;
}

function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
