/** Gives each whole line of a unit to a function, as a part of a buffer. */
import { readSync } from 'node:fs';
import { readPacked } from '../../clicks/ledger/read-packed.ts';
import type { LedgerFile, Unit } from './units.ts';

/** @param offset byte of the line in the unpacked file */
export type OnLine = (bytes: Buffer, start: number, end: number, offset: number) => void;

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
/** One for each thread, because V8 frees large arrays late. */
const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);

/**
 * Leaves out a last line without its newline, because it is incomplete.
 *
 * @param onDamaged gets a message if a packed file is damaged; its whole lines up to there are read
 */
export async function readUnit(
  file: LedgerFile,
  { from, to }: Unit,
  onLine: OnLine,
  onDamaged: (message: string) => void,
): Promise<void> {
  if (!file.isPacked) {
    readPlain(file.fd, from, to, onLine);
    return;
  }
  const lines = new LineSplitter(onLine, 0);
  const packed = { file: file.path, fd: file.fd };
  for await (const chunk of readPacked(packed, 0, Number.POSITIVE_INFINITY, onDamaged))
    lines.add(chunk);
}

function readPlain(fd: number, from: number, to: number, onLine: OnLine): void {
  const lines = new LineSplitter(onLine, from);
  for (let at = from; at < to; ) {
    const read = readSync(fd, buffer, 0, Math.min(CHUNK_BYTES, to - at), at);
    if (read === 0) return;
    at += read;
    lines.add(buffer.subarray(0, read));
  }
}

class LineSplitter {
  readonly #onLine: OnLine;
  #offset: number;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onLine: OnLine, offset: number) {
    this.#onLine = onLine;
    this.#offset = offset;
  }

  /** The chunk may be used again for other bytes afterwards. */
  add(chunk: Buffer): void {
    let start = 0;
    if (this.#rest.length > 0) {
      const end = chunk.indexOf(NEWLINE);
      const line = Buffer.concat([this.#rest, end < 0 ? chunk : chunk.subarray(0, end)]);
      this.#rest = line;
      if (end < 0) return;
      this.#give(line, 0, line.length);
      start = end + 1;
    }
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#give(chunk, start, end);
      start = end + 1;
    }
    this.#rest = Buffer.from(chunk.subarray(start));
  }

  #give(bytes: Buffer, start: number, end: number): void {
    this.#onLine(bytes, start, end, this.#offset);
    this.#offset += end - start + 1;
  }
}
