/** Finds and reads ledger files in the order of their writing: rotated ones first, gzipped or not. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CHUNK_BYTES, readPacked } from './read-packed.ts';

/** Consecutive lines of a file. */
export interface LedgerChunk {
  lines: string[];
  /** Bytes from the file's start (unpacked) to the end of the last line. */
  end: number;
}

/** The names that rotation gives a ledger: `.1`, `-20260131`, `-20260131-093000`, each also with `.gz`. */
const ROTATED = /^(?:\.\d{1,6}|-\d{8}(?:-\d{1,10})?)(?:\.gz)?$/;

/** The ledger's files, oldest first, the current one last: `clicks.jsonl.2.gz`, `clicks.jsonl-20260131`, `clicks.jsonl`. */
export function ledgerFiles(path: string): string[] {
  const rotated = rotatedFiles(path)
    .map((file) => ({ file, ms: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.ms - b.ms)
    .map(({ file }) => file);
  return existsSync(path) ? [...rotated, path] : rotated;
}

/** Rotated files, in no order. */
export const rotatedFiles = (path: string): string[] => siblings(path).filter(isLedgerFile(path));

function siblings(path: string): string[] {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const name = basename(path);
  return readdirSync(folder)
    .filter((file) => file.startsWith(name) && file !== name)
    .map((file) => join(folder, file));
}

/** Is that file, whose name begins with the ledger's, a rotated one? */
export const isLedgerFile = (path: string) => (file: string) =>
  ROTATED.test(file.slice(path.length)) &&
  statSync(file, { throwIfNoEntry: false })?.isFile() === true;

export const isPacked = (file: string) => file.endsWith('.gz');

/**
 * Reads a file in chunks of whole lines. Leaves out a last line without its newline, because it is incomplete.
 *
 * @param from byte to begin at, unpacked
 * @param to byte to end before, unpacked
 * @param onDamaged gets a message if a packed file is cut short or damaged; its whole lines up to there are read.
 * Without it, such a file is an error
 */
export async function* readLedger(
  file: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
  onDamaged: (message: string) => void = fail,
): AsyncGenerator<LedgerChunk> {
  if (to <= from) return;
  let rest: Buffer[] = [];
  let end = from;
  for await (const chunk of readBytes(file, from, to, onDamaged)) {
    const whole = chunk.lastIndexOf(0x0a) + 1;
    if (whole === 0) {
      rest.push(chunk);
      continue;
    }
    const bytes = Buffer.concat([...rest, chunk.subarray(0, whole)]);
    rest = [chunk.subarray(whole)];
    end += bytes.length;
    yield { lines: bytes.toString('utf8', 0, bytes.length - 1).split('\n'), end };
  }
}

/** Reads a file's bytes, unpacked. The parameters are those of `readLedger`. */
export async function* readBytes(
  file: string,
  from: number,
  to: number,
  onDamaged: (message: string) => void = fail,
): AsyncGenerator<Buffer> {
  if (isPacked(file)) yield* readPacked({ file }, from, to, onDamaged);
  else {
    const options = { start: from, end: to - 1, highWaterMark: CHUNK_BYTES };
    yield* createReadStream(file, options) as AsyncIterable<Buffer>;
  }
}

function fail(message: string): never {
  throw new Error(message);
}
