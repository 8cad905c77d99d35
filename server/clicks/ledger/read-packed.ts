/** Unpacks gzipped ledger files, as far as possible if they are damaged. */
import { createReadStream, readSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { constants, createGunzip, type ZlibOptions } from 'node:zlib';

/** About 500 clicks. The server answers other requests between two chunks. */
export const CHUNK_BYTES = 256 * 1024;

interface Packed {
  file: string;
  /** The same file, already open. It is read from its start, and stays open. */
  fd?: number;
}

/**
 * @param from byte to begin at, unpacked
 * @param to byte to end before, unpacked
 * @param onDamaged gets a message if the file is cut short or damaged; its bytes up to there are read
 */
export async function* readPacked(
  packed: Packed,
  from: number,
  to: number,
  onDamaged: (message: string) => void,
): AsyncGenerator<Buffer> {
  let at = from;
  try {
    for await (const chunk of unpack(packed, at, to, { chunkSize: CHUNK_BYTES })) {
      at += chunk.length;
      yield chunk;
    }
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    onDamaged(`${packed.file} is damaged (${cause.message}). Its lines were read up to there.`);
    yield* readRemains(packed, at, to);
  }
}

/** Reads the bytes that zlib had unpacked before the damage, because zlib drops them with its error. */
async function* readRemains(packed: Packed, from: number, to: number): AsyncGenerator<Buffer> {
  const lenient = { chunkSize: 1024, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    yield* unpack(packed, from, to, lenient);
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
  }
}

async function* unpack({ file, fd }: Packed, from: number, to: number, options: ZlibOptions) {
  const source = fd === undefined ? createReadStream(file) : Readable.from(readOpen(fd));
  const stream = pipeline(source, createGunzip(options), () => {});
  let at = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const start = at;
    at += chunk.length;
    if (at > from) yield chunk.subarray(Math.max(0, from - start), Math.max(0, to - start));
    if (at >= to) return;
  }
}

/** A stream of its own would close the file. */
function* readOpen(fd: number): Generator<Buffer> {
  for (let at = 0; ; ) {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(fd, buffer, 0, CHUNK_BYTES, at);
    if (read === 0) return;
    at += read;
    yield buffer.subarray(0, read);
  }
}

const isDamage = (cause: unknown): cause is Error =>
  /^Z_(?:BUF|DATA)_ERROR$/.test(String((cause as { code?: unknown }).code));
