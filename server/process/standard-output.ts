/**
 * Standard output that never blocks the server. pino's destination writes in the background, and drops text when its reader is
 * slow or gone. Every click is in the table and in the log file anyway.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';

/** Upper bound of the text that waits in memory for a slow reader. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_WRITE_BYTES = 1024 * 1024;
/** Lines gather for this long, so that many groups of clicks share one write. */
const GATHER_MS = 50;

export function openOutput() {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    contentMode: 'buffer',
    minLength: MAX_WRITE_BYTES - 1,
    maxWrite: MAX_WRITE_BYTES,
    maxLength: MAX_WAITING_BYTES,
  });
  // pino calls it when the process ends, and it would wait without limit for a slow reader.
  stream.flushSync = () => {};
  let isGone = false;
  let timer: NodeJS.Timeout | null = null;
  // EPIPE: the reader has closed its end.
  stream.on('error', () => {
    isGone = true;
  });
  const flush = () => {
    timer = null;
    if (!isGone) stream.flush();
  };
  return {
    /** @param lines one or more, each with its newline */
    write(lines: string): void {
      if (isGone) return;
      // Its types do not know contentMode 'buffer'.
      stream.write(Buffer.from(lines) as unknown as string);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    /** Waits until everything is written, or for the given time. */
    async end(timeoutMs: number): Promise<void> {
      if (timer) clearTimeout(timer);
      if (isGone) return;
      const closed = Promise.race([once(stream, 'close'), once(stream, 'error')]).catch(() => {});
      stream.end();
      await Promise.race([closed, delay(timeoutMs)]);
    },
  };
}
