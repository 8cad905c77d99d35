/**
 * Standard output that never holds the server up: written in the background, and when its reader is slow or gone,
 * text is dropped there and not waited for. Clicks stand in the ledger all the same.
 */
import { write } from 'node:fs';

export interface Output {
  /** One or more lines, each with its newline. */
  write(text: string | Buffer): void;
  /** Waits until everything is written, or for the given time. */
  end(timeoutMs: number): Promise<void>;
}

/** Waits in memory for a slow reader; what comes beyond it is dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** A pipe that is full just now. */
const RETRY_MS = 20;
/** Between two writes: under load every click would otherwise cost a share of a thread's waking. */
const REST_MS = 50;

export function openOutput(fd: number): Output {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  /** A write is under way. */
  let writing = false;
  let rest: NodeJS.Timeout | null = null;
  let gone = false;
  let ending = false;
  let onEmpty = () => {};

  const next = () => {
    rest = null;
    writing = waiting.length > 0 && !gone;
    if (!writing) {
      onEmpty();
      return;
    }
    const text = Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
    writeFrom(text, 0);
  };
  const writeFrom = (text: Buffer, start: number) => {
    write(fd, text, start, text.length - start, null, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(() => writeFrom(text, start), RETRY_MS);
        return;
      }
      // Nobody reads any more (EPIPE), or nobody ever did.
      if (error) gone = true;
      else if (start + written < text.length) return writeFrom(text, start + written);
      writing = false;
      if (ending) next();
      else rest = setTimeout(next, REST_MS);
    });
  };

  return {
    write(text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      if (gone || waitingBytes + bytes.length > MAX_WAITING_BYTES) return;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (!writing && (ending || !rest)) next();
    },
    end(timeoutMs) {
      ending = true;
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
        if (rest) clearTimeout(rest);
        if (!writing) next();
      });
    },
  };
}
