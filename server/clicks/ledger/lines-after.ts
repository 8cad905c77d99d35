/** Reads the ledger's lines after a position, in small parts, with the position after each line. */
import { findFile, inodeOf } from './find-position.ts';
import { firstIdOf } from './first-line.ts';
import type { LedgerPosition } from './ledger.ts';
import { ledgerFiles, readLedger } from './read-ledger.ts';

/** Lines of one part. Parsing them takes less than a millisecond. */
const PART_LINES = 100;

export interface PlacedLine {
  text: string;
  /** The position after the line. */
  after: LedgerPosition;
}

/**
 * Begins with the oldest file if no file has the position: after a lost database, a restored copy or a deleted file.
 *
 * @param known the position after the last line that was dealt with; null: none was
 * @param current reads up to here: the open ledger's end, because bytes after it belong to a failed group, or an earlier place
 * @param warn gets a message about a file that could be read only in part
 */
export async function* linesAfter(
  path: string,
  known: LedgerPosition | null,
  current: LedgerPosition,
  warn: (message: string) => void,
): AsyncGenerator<PlacedLine[]> {
  const files = ledgerFiles(path);
  const first = known ? findFile(files, known) : -1;
  const last = findFile(files, current);
  for (const [i, path] of files.entries()) {
    if (i < first) continue;
    // The end may be in an older file while the index catches up.
    if (last >= 0 && i > last) break;
    const from = i === first ? (known?.offset ?? 0) : 0;
    const file = inodeOf(path);
    const isEnd = i === last || file === current.file;
    const to = isEnd ? current.offset : Number.POSITIVE_INFINITY;
    if (to <= from) continue;
    const firstId = firstIdOf(path);
    let offset = from;
    for await (const { lines } of readLedger(path, from, to, warn)) {
      const placed = lines.map((text): PlacedLine => {
        offset += Buffer.byteLength(text) + 1;
        return { text, after: { file, first: firstId, offset } };
      });
      for (let n = 0; n < placed.length; n += PART_LINES) yield placed.slice(n, n + PART_LINES);
    }
  }
}
