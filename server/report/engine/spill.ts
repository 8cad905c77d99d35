/** Collects records in partitions. Records that do not fit into a small buffer wait in temporary files. */
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** 64 partitions of 10 million clicks have 11 MB each. */
export const PARTITIONS = 64;
const BUFFERED = 512;

export interface SpillFile {
  path: string;
  /** Records in the file. Without any there is no file. */
  records: number;
  /** Further records, which did not need a file. */
  rest: Uint32Array;
}

export class Spill {
  readonly #path: (partition: number) => string;
  readonly #words: number;
  readonly #buffers: (Uint32Array | undefined)[] = [];
  readonly #filled = new Uint32Array(PARTITIONS);
  readonly #written = new Uint32Array(PARTITIONS);
  readonly #fds: (number | undefined)[] = [];

  /** @param folder for the files, which only appear when they are needed @param name different for each spill in it */
  constructor(folder: string, name: string, words: number) {
    this.#path = (partition) => join(folder, `${name}-${partition}`);
    this.#words = words;
  }

  /** Copies the record. */
  add(partition: number, record: Uint32Array): void {
    const buffer = this.#buffers[partition] ?? new Uint32Array(BUFFERED * this.#words);
    this.#buffers[partition] = buffer;
    const filled = this.#filled[partition] as number;
    buffer.set(record, filled * this.#words);
    this.#filled[partition] = filled + 1;
    if (filled + 1 === BUFFERED) this.#flush(partition);
  }

  #flush(partition: number): void {
    const buffer = this.#buffers[partition];
    const filled = this.#filled[partition] as number;
    if (!buffer || filled === 0) return;
    const fd = this.#fds[partition] ?? openSync(this.#path(partition), 'wx', 0o600);
    this.#fds[partition] = fd;
    const bytes = new Uint8Array(buffer.buffer, 0, filled * this.#words * 4);
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    this.#filled[partition] = 0;
    this.#written[partition] = (this.#written[partition] as number) + filled;
  }

  /** Ends. @param toFiles also writes the last records, because other threads read them */
  finish(toFiles: boolean): SpillFile[] {
    const files = Array.from({ length: PARTITIONS }, (_, partition) => {
      if (toFiles) this.#flush(partition);
      const rest = this.#buffers[partition]?.subarray(
        0,
        (this.#filled[partition] as number) * this.#words,
      );
      return {
        path: this.#path(partition),
        records: this.#written[partition] as number,
        rest: toFiles || !rest ? new Uint32Array(0) : rest,
      };
    });
    for (const fd of this.#fds) if (fd !== undefined) closeSync(fd);
    return files;
  }
}

/**
 * Reads and deletes a partition's files.
 *
 * @param memory takes the records, and is used again for the next partition
 * @returns all records, one file after the other
 */
export function readSpills(
  files: readonly SpillFile[],
  words: number,
  memory: Memory,
): Uint32Array {
  const all = memory.take(files.reduce((sum, file) => sum + lengthOf(file, words), 0));
  let at = 0;
  for (const file of files) {
    const { path, records, rest } = file;
    all.set(rest, at + records * words);
    const bytes = new Uint8Array(all.buffer, all.byteOffset + at * 4, records * words * 4);
    if (records > 0) readFile(path, bytes);
    at += lengthOf(file, words);
  }
  return all;
}

/** Number of words. */
export const lengthOf = ({ records, rest }: SpillFile, words: number): number =>
  records * words + rest.length;

/** Fills `bytes` and deletes the file. */
function readFile(path: string, bytes: Uint8Array): void {
  const fd = openSync(path, 'r');
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(fd, bytes, done, bytes.length - done, null);
    if (read === 0) throw new Error(`${path} was cut short by another program.`);
    done += read;
  }
  closeSync(fd);
  rmSync(path);
}

/** A growing array that is used again and again, because V8 frees large arrays late. */
export class Memory {
  #words = new Uint32Array(0);

  /** The numbers in it are left from earlier use. */
  take(length: number): Uint32Array {
    if (this.#words.length < length) this.#words = new Uint32Array(Math.ceil(length * 1.1));
    return this.#words.subarray(0, length);
  }
}
