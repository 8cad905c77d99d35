import { closeSync, openSync, writeSync } from 'node:fs';

/** Fills the disk of this file completely. */
export function fillDisk(file: string): void {
  const fd = openSync(file, 'a');
  for (const size of [1024 * 1024, 64 * 1024, 4096, 1]) {
    const bytes = Buffer.alloc(size);
    try {
      for (;;) if (writeSync(fd, bytes) === 0) break;
    } catch {
      // No room for this size. Smaller pieces may still fit.
    }
  }
  closeSync(fd);
}
