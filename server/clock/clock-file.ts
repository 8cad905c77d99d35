/** Stores the newest trusted time in a file, across restarts. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const schema = z.object({ newest: z.iso.datetime({ precision: 3 }) });

/** @returns milliseconds since 1970; null if the file is missing, or damaged by a power cut */
export function readClockFile(file: string): number | null {
  try {
    return Date.parse(schema.parse(JSON.parse(readFileSync(file, 'utf8'))).newest);
  } catch {
    return null;
  }
}

/** @throws the file system's error */
export function writeClockFile(file: string, timeMs: number): void {
  writeFileSync(`${file}.new`, `{"newest":"${new Date(timeMs).toISOString()}"}\n`, { mode: 0o640 });
  renameSync(`${file}.new`, file);
}
