/**
 * Standard output that never holds the server up: written in the background, and when its reader is slow or gone,
 * lines are dropped there (they stand in the ledger all the same) and counted.
 */
import { destination } from 'pino';

/** Waits in memory for a slow reader. */
const MAX_WAITING_CHARACTERS = 4 * 1024 * 1024;

export interface Output {
  /** One or more lines, each with its newline. */
  write(text: string): void;
  /** Waits until everything is written, or for the given time. */
  end(timeoutMs: number): Promise<void>;
}

export function openOutput(fd: number): Output {
  const stream = destination({ fd, sync: false, maxLength: MAX_WAITING_CHARACTERS });
  let gone = false;
  stream.on('error', () => {
    // The reader has gone (EPIPE); the ledger has what it misses.
    gone = true;
  });
  return {
    write(text) {
      if (!gone) stream.write(text);
    },
    end(timeoutMs) {
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        if (gone) done();
        else stream.flush(done);
      });
    },
  };
}
