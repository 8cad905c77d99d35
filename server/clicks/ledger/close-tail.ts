/** Repairs a ledger's end after a crash, which may leave a line without its newline, or half a line. */
import type { Disk } from './disk.ts';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 64 * 1024;
/** Far above any line, because a click's body has at most 4 KB. Of a longer tail, only the start is reported. */
const LINE_BYTES = 1024 * 1024;

/**
 * Makes the file end with a newline. Completes a line that lacks only its newline. Cuts off half a line and passes it
 * to `onTorn`.
 *
 * @returns the file's size in bytes
 */
export function closeTail(fd: number, onTorn: (tail: string) => void, disk: Disk): number {
  const { size } = disk.fstatSync(fd);
  const end = findLastLineEnd(fd, size, disk);
  if (end === size) return size;
  const text = readText(fd, end, Math.min(size - end, LINE_BYTES), disk);
  if (size - end <= LINE_BYTES && isWhole(text)) return size + disk.writeSync(fd, '\n');
  onTorn(text);
  disk.ftruncateSync(fd, end);
  return end;
}

/** @returns the offset after the last newline */
function findLastLineEnd(fd: number, size: number, disk: Disk): number {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const read = disk.readSync(fd, chunk, 0, end - start, start);
    const newline = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

function readText(fd: number, start: number, length: number, disk: Disk): string {
  const bytes = Buffer.alloc(length);
  return bytes.toString('utf8', 0, disk.readSync(fd, bytes, 0, length, start));
}

function isWhole(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
}
