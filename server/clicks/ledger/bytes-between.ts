/** The distance between two places of a ledger, also across rotated files. */
import { statSync } from 'node:fs';
import { findFile } from './find-position.ts';
import type { LedgerPosition } from './ledger.ts';
import { ledgerFiles } from './read-ledger.ts';

/**
 * @param from null: the ledger's beginning
 * @param end the open ledger's end
 * @returns bytes; packed files count with their packed size
 */
export function bytesBetween(
  path: string,
  from: LedgerPosition | null,
  end: LedgerPosition,
): number {
  if (from && from.file === end.file) return Math.max(0, end.offset - from.offset);
  const files = ledgerFiles(path);
  const first = from ? findFile(files, from) : -1;
  const bytes = files
    .slice(Math.max(first, 0))
    .map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const before = first >= 0 ? (from?.offset ?? 0) : 0;
  return Math.max(0, bytes.reduce((sum, size) => sum + size, 0) - before);
}
