/**
 * Standard output that never blocks the server. pino's destination writes in the background, and drops text when its reader is
 * slow or gone. Every click is in the table and in the log file anyway.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';

export interface Output {
  /** One or more lines, each with its newline. */
  write(text: string | Buffer): void;
  /** Waits until everything is written, or for the given time. */
  end(timeoutMs: number): Promise<void>;
}

/** Upper bound of the text that waits in memory for a slow reader. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_WRITE_BYTES = 1024 * 1024;
/** Lines gather for this long, so that many groups of clicks share one write. */
const GATHER_MS = 50;

export function openOutput(fd: number): Output {
  const stream = pino.destination({
    dest: fd,
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
    write(text) {
      if (isGone) return;
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      // Its types do not know contentMode 'buffer'.
      stream.write(bytes as unknown as string);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    async end(timeoutMs) {
      if (timer) clearTimeout(timer);
      if (isGone) return;
      const closed = Promise.race([once(stream, 'close'), once(stream, 'error')]).catch(() => {});
      stream.end();
      await Promise.race([closed, delay(timeoutMs)]);
    },
  };
}
