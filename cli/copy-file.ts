/** Copies files so that they survive a power cut, and measures the copies. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { createGunzip } from 'node:zlib';
import type { BackupFile } from './backup-manifest.ts';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

interface Options {
  /** Leaves out an incomplete line at the end, because the server may be appending to the file. */
  wholeLines?: boolean;
  /** Permission bits and time of the copy; the file's own, when left out. */
  as?: { mode: number; mtime: Date };
}

/** Copies the present content of the open file. @throws when `to` exists, or the disk is full; then removes the copy */
export function copyOpenFile(source: number, to: string, { wholeLines, as }: Options = {}): void {
  const status = fstatSync(source);
  const { mode, mtime } = as ?? status;
  const target = openSync(to, 'wx', 0o600);
  let isWhole = false;
  try {
    const end = copyBytes(source, target, status.size);
    if (wholeLines) ftruncateSync(target, end);
    fchmodSync(target, mode & 0o666);
    futimesSync(target, mtime, mtime);
    fsyncSync(target);
    isWhole = true;
  } finally {
    closeSync(target);
    if (!isWhole) rmSync(to);
  }
}

/** @returns the number of bytes up to and including the last newline */
function copyBytes(source: number, target: number, size: number): number {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let end = 0;
  for (let done = 0; done < size; ) {
    const length = readSync(source, buffer, 0, Math.min(CHUNK_BYTES, size - done), done);
    // The file has become shorter: the server has cut off a group that it could not write.
    if (length === 0) break;
    for (let written = 0; written < length; )
      written += writeSync(target, buffer, written, length - written);
    const newline = buffer.subarray(0, length).lastIndexOf(NEWLINE);
    if (newline >= 0) end = done + newline + 1;
    done += length;
  }
  return end;
}

export function copyFile(from: string, to: string, options?: Options): void {
  const source = openSync(from, 'r');
  try {
    copyOpenFile(source, to, options);
  } finally {
    closeSync(source);
  }
}

export type Measured = Pick<BackupFile, 'bytes' | 'lines' | 'sha256'>;

/** Reads the file once. @returns `lines` null for a file that is not JSON lines */
export async function measureFile(path: string): Promise<Measured> {
  const hash = createHash('sha256');
  let bytes = 0;
  let newlines = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    newlines += countNewlines(chunk);
  }
  const lines = path.endsWith('.gz') ? await countPacked(path) : newlines;
  const isLines = /\.jsonl\b/.test(path);
  return { bytes, lines: isLines ? lines : null, sha256: hash.digest('hex') };
}

/** @returns null when the archive cannot be unpacked to its end */
async function countPacked(path: string): Promise<number | null> {
  let lines = 0;
  const source = createReadStream(path);
  const stream = createGunzip();
  source.on('error', (cause) => stream.destroy(cause)).pipe(stream);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) lines += countNewlines(chunk);
    return lines;
  } catch {
    return null;
  }
}

function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Syncs a file or a folder. The name of a new file is durable only when its folder is synced. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
