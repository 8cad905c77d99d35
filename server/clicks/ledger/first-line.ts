/** Identifies ledger files by the id of their first line, because rotation changes names and systems reuse inodes. */
import { closeSync, openSync, readSync } from 'node:fs';
import { constants, gunzipSync } from 'node:zlib';
import { isPacked } from './read-ledger.ts';

/** Far above any line, packed or not, because a click's body has at most 4 KB. */
export const FIRST_LINE_BYTES = 16 * 1024;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** @returns the id of the first of these lines; '' if there is no line, or it is not a click */
export function firstIdIn(bytes: Buffer): string {
  const newline = bytes.indexOf(0x0a);
  if (newline < 0) return '';
  try {
    const { id } = JSON.parse(bytes.toString('utf8', 0, newline));
    return isUuid(id) ? id : '';
  } catch {
    return '';
  }
}

/** @param file a ledger file, which may be packed */
export function firstIdOf(file: string): string {
  const bytes = readStart(file);
  if (!isPacked(file)) return firstIdIn(bytes);
  try {
    return firstIdIn(gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
  } catch {
    return '';
  }
}

export const isUuid = (id: unknown): id is string => typeof id === 'string' && UUID.test(id);

function readStart(file: string): Buffer {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(FIRST_LINE_BYTES);
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(fd);
  }
}
