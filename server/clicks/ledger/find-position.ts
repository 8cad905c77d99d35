/** Finds a known position in the ledger's files again, after rotations, restarts and restored copies. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { firstIdOf } from './first-line.ts';
import type { LedgerPosition } from './ledger.ts';
import { isPacked } from './read-ledger.ts';

/** Ignores the inode, because a copy of the data folder has other inodes and the same lines. */
export const isSamePlace = (a: LedgerPosition, b: LedgerPosition) =>
  a.first !== '' && a.first === b.first && a.offset === b.offset;

/**
 * Prefers the file with the same inode, because a copy has the same first line.
 *
 * @returns the file's index; -1: no file has that place
 */
export function findFile(files: string[], place: LedgerPosition): number {
  const read = files.findIndex((file) => inodeOf(file) === place.file && holds(file, place));
  return read >= 0 ? read : files.findIndex((file) => holds(file, place));
}

/** Is that place in this file? False if the file begins with another line, or is shorter. */
function holds(file: string, place: LedgerPosition): boolean {
  // Older versions stored no first line, so only the inode can be compared.
  if (place.first === '' && (isPacked(file) || inodeOf(file) !== place.file)) return false;
  if (place.first !== '' && firstIdOf(file) !== place.first) return false;
  return isPacked(file) || isBetweenLines(file, place.offset);
}

function isBetweenLines(file: string, offset: number): boolean {
  if (offset === 0) return true;
  const fd = openSync(file, 'r');
  try {
    const byte = Buffer.alloc(1);
    return readSync(fd, byte, 0, 1, offset - 1) === 1 && byte[0] === 0x0a;
  } finally {
    closeSync(fd);
  }
}

export const inodeOf = (file: string) => String(statSync(file, { bigint: true }).ino);
