/** Finds a time in a ledger file without reading the whole file. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isPacked } from './read-ledger.ts';

/** Longer than any line of a click. */
const LINE_BYTES = 64 * 1024;
/** Reading this much is faster than further steps. */
const CLOSE_BYTES = 1024 * 1024;

const RECEIVED = /"received_at":"([^"]+)"/;

/**
 * Lines are in the order of their reception, so half of the rest is left out with each step.
 *
 * @param ms milliseconds since 1970
 * @returns a byte where a line begins. Each line before it was received before `ms`. 0 for a packed file
 */
export function offsetBefore(file: string, ms: number): number {
  if (isPacked(file)) return 0;
  const fd = openSync(file, 'r');
  try {
    let low = 0;
    let high = statSync(file).size;
    while (high - low > CLOSE_BYTES) {
      const line = lineAfter(fd, low + Math.floor((high - low) / 2));
      if (!line || line.start >= high) break;
      if (line.receivedAt < ms) low = line.start;
      else high = line.start;
    }
    return low;
  } finally {
    closeSync(fd);
  }
}

/** @returns the first line that begins after a byte; null: none with a time is near */
function lineAfter(fd: number, from: number): { start: number; receivedAt: number } | null {
  const bytes = Buffer.alloc(2 * LINE_BYTES);
  const text = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
  const start = text.indexOf(0x0a) + 1;
  const end = text.indexOf(0x0a, start);
  if (start === 0 || end < 0) return null;
  const received = RECEIVED.exec(text.toString('utf8', start, end))?.[1];
  return received ? { start: from + start, receivedAt: Date.parse(received) } : null;
}
