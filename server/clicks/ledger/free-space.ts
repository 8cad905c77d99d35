/**
 * Keeps a part of the disk free. A sender within all limits can write gigabytes a day. On a full disk, the server cannot
 * write registrations or the index, and the machine itself may fail.
 */
import { statfsSync } from 'node:fs';
import type { Ledger } from './ledger.ts';

const MB = 1024 * 1024;
/** The clicks of one second take a few megabytes at most. */
const CHECK_EVERY_MS = 1000;

/** The disk has less free space than MIN_FREE_MB. */
export class LowSpaceError extends Error {
  readonly code = 'low_disk_space';
}

export interface FreeSpaceParts {
  /** A folder on the disk in question. */
  folder: string;
  /** Lower bound of free space; 0: clicks may fill the disk. */
  minFreeBytes: number;
  /** Monotonic milliseconds. */
  now?: () => number;
  /** Bytes that this process may still write. */
  freeBytes?: (folder: string) => number;
}

/** @returns a function that throws a LowSpaceError while less than `minFreeBytes` is free */
export function createSpaceCheck(parts: FreeSpaceParts): () => void {
  const { folder, minFreeBytes, now = () => performance.now(), freeBytes = readFreeBytes } = parts;
  if (minFreeBytes === 0) return () => {};
  let checkedAt = Number.NEGATIVE_INFINITY;
  let free = Number.POSITIVE_INFINITY;
  return () => {
    if (now() - checkedAt >= CHECK_EVERY_MS) {
      checkedAt = now();
      free = freeBytes(folder);
    }
    if (free < minFreeBytes) throw new LowSpaceError(describe(folder, free, minFreeBytes));
  };
}

/** @returns a ledger whose `flush` and `probe` throw a LowSpaceError while less than `minFreeBytes` is free */
export function keepSpaceFree(ledger: Ledger, parts: FreeSpaceParts): Ledger {
  if (parts.minFreeBytes === 0) return ledger;
  const check = createSpaceCheck(parts);
  return {
    ...ledger,
    async flush() {
      check();
      return ledger.flush();
    },
    async probe() {
      check();
      await ledger.probe();
    },
  };
}

/** Bytes that this process may still write. */
export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const describe = (folder: string, free: number, floor: number) =>
  `Only ${Math.floor(free / MB)} MB are free on the disk of ${folder}. Clicks are rejected below MIN_FREE_MB=${floor / MB}: free some space, or lower it.`;
