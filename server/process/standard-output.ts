/**
 * Standard output that never blocks the server. pino's destination writes in the background, and
 * drops text when its reader is slow or gone. Every click is in the table and in the log file
 * anyway.
 */
import { once } from 'node:events';
import { pino } from 'pino';

/** Upper bound of the text that waits in memory for a slow reader. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_WRITE_BYTES = 1024 * 1024;

export function openOutput() {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    maxWrite: MAX_WRITE_BYTES,
    maxLength: MAX_WAITING_BYTES,
  });
  // pino calls it when the process ends, and it would wait without limit for a slow reader.
  stream.flushSync = () => {};
  let isGone = false;
  // EPIPE: the reader has closed its end.
  stream.on('error', () => {
    isGone = true;
  });
  return {
    /** @param lines one or more, each with its newline */
    write(lines: string): void {
      // Its types do not know contentMode 'buffer'.
      if (!isGone) stream.write(Buffer.from(lines) as unknown as string);
    },
    /** Waits until everything is written, or for the given time. */
    async end(timeoutMs: number): Promise<void> {
      if (isGone) return;
      const signal = AbortSignal.timeout(timeoutMs);
      const closed = once(stream, 'close', { signal }).catch(() => {});
      stream.end();
      await closed;
    },
  };
}
