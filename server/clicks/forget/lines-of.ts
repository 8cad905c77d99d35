/** Reads a file line by line as bytes, with each line's place, because lines are replaced in place. */
import { createReadStream } from 'node:fs';
import { isPacked } from '../ledger/read-ledger.ts';
import { CHUNK_BYTES, readPacked } from '../ledger/read-packed.ts';

export interface PlacedLine {
  /** Without its newline. */
  bytes: Buffer;
  /** Byte at which the line begins, unpacked. */
  offset: number;
}

const NEWLINE = 0x0a;

/**
 * Yields the lines of each chunk. Leaves out a last line without its newline.
 *
 * @throws (rejects with) the file system's error, or an Error if a packed file is damaged
 */
export async function* linesOf(path: string): AsyncGenerator<PlacedLine[]> {
  let rest = Buffer.alloc(0);
  let offset = 0;
  for await (const chunk of chunksOf(path)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const lines: PlacedLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      lines.push({ bytes: bytes.subarray(start, end), offset: offset + start });
      start = end + 1;
    }
    rest = Buffer.from(bytes.subarray(start));
    offset += start;
    if (lines.length > 0) yield lines;
  }
}

const chunksOf = (path: string) =>
  isPacked(path)
    ? readPacked({ file: path }, 0, Number.POSITIVE_INFINITY, fail)
    : (createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>);

function fail(message: string): never {
  throw new Error(`${message} Nothing of it was forgotten: restore the file, or delete it.`);
}
