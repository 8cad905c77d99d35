/** Reads the lines of several ledgers in chunks, within a fixed memory, and shows the progress on a terminal. */
import { statSync } from 'node:fs';
import { offsetBefore } from '../server/clicks/ledger/find-time.ts';
import { ledgerFiles, readLedger } from '../server/clicks/ledger/read-ledger.ts';
import { createProgress } from './replay/progress.ts';
import { warn } from './warn.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const MB = 1024 * 1024;

export interface FileChunk {
  file: string;
  lines: string[];
  /** Bytes from the file's start (unpacked) to the end of the last line. */
  end: number;
}

interface Options {
  /** Milliseconds since 1970: most lines that were received earlier are left out, but not all of them. */
  since?: number | undefined;
  /** Gets a message about a damaged archive. Its lines up to there are read. */
  onDamaged?: (message: string) => void;
}

/**
 * @param paths of the ledgers, which are read one after the other, each from its oldest file
 * @throws an Error when there is no ledger at one of them
 */
export async function* ledgerChunks(
  paths: readonly string[],
  { since = 0, onDamaged = warn }: Options = {},
): AsyncGenerator<FileChunk> {
  const files = paths.flatMap(filesOf).filter((file) => !isOlder(file, since));
  const progress = createProgress(process.stderr);
  let earlier = 0;
  try {
    for (const [i, file] of files.entries()) {
      const from = since > 0 ? offsetBefore(file, since) : 0;
      let last = from;
      for await (const { lines, end } of readLedger(file, from, undefined, onDamaged)) {
        // A consumer that prints must not write into the progress.
        progress.clear();
        yield { file, lines, end };
        last = end;
        const read = Math.floor((earlier + last - from) / MB);
        progress.show(`${read} MB read, file ${i + 1} of ${files.length}: ${file}`);
      }
      earlier += last - from;
    }
  } finally {
    progress.clear();
  }
}

/** @throws an Error when there is no ledger */
export function filesOf(path: string): string[] {
  const files = ledgerFiles(path);
  if (files.length === 0) throw new Error(`There is no ledger at ${path}. Is DATA_DIR right?`);
  return files;
}

/** Was the file last written a day before that time? The day allows for a corrected clock. */
const isOlder = (file: string, since: number) =>
  (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since - DAY_MS;
