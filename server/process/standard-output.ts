/**
 * Writes to standard output without ever blocking the server. pino's destination writes in the
 * background, and drops text if the reader is slow or gone. Every click is in the table and in the
 * log file anyway.
 */
import { once } from 'node:events';
import { pino } from 'pino';

/** Upper bound for the text that is kept in memory for a slow reader. */
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
  // pino flushes when the process ends, and would wait for a slow reader without a limit.
  stream.flushSync = () => {};
  let isGone = false;
  // EPIPE: the reader has closed the pipe.
  stream.on('error', () => {
    isGone = true;
  });
  return {
    /** Writes lines. @param lines one or more, each with its line break */
    write(lines: string): void {
      // The cast is needed because the types do not know contentMode 'buffer'.
      if (!isGone) stream.write(Buffer.from(lines) as unknown as string);
    },
    /** Closes the output when everything is written, or after the timeout. */
    async end(timeoutMs: number): Promise<void> {
      if (isGone) return;
      const signal = AbortSignal.timeout(timeoutMs);
      const closed = once(stream, 'close', { signal }).catch(() => {});
      stream.end();
      await closed;
    },
  };
}
