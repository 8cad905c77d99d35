/** Reads ledger files, in the order in which they were written: rotated ones first, gzipped ones too. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { createGunzip } from 'node:zlib';

/** Lines that lie together in a file. */
export interface LedgerChunk {
  lines: string[];
  /** Bytes from the file's start (unpacked) to behind the last of the lines. */
  end: number;
}

/** The ledger's files, oldest first, the current one last: `clicks.jsonl.2.gz`, `clicks.jsonl-20260131`, `clicks.jsonl`. */
export function ledgerFiles(path: string): string[] {
  const name = basename(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  const rotated = readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.`) || file.startsWith(`${name}-`))
    .map((file) => join(folder, file))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs);
  return existsSync(path) ? [...rotated, path] : rotated;
}

/**
 * A last line without its newline is not yet written, or never was, and is left out.
 *
 * @param from byte to begin at
 * @param to byte to end before
 */
export async function* readLedger(
  file: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): AsyncGenerator<LedgerChunk> {
  if (to <= from) return;
  const raw = createReadStream(file, { start: from, end: to - 1, highWaterMark: 1024 * 1024 });
  const stream = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  let rest: Buffer = Buffer.alloc(0);
  let end = from;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const whole = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(whole);
    if (whole === 0) continue;
    end += whole;
    yield { lines: bytes.toString('utf8', 0, whole - 1).split('\n'), end };
  }
}
