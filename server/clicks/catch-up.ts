/**
 * Brings the index up to the ledger's end, after a crash, after a lost or unreachable index, and after a rotation without a
 * running server. Reading a line twice changes nothing, so in doubt this reads everything.
 */
import type { ClickIndex, ClickRow } from './index/click-index.ts';
import { findFile, inodeOf, isSamePlace } from './ledger/find-position.ts';
import { firstIdOf, isUuid } from './ledger/first-line.ts';
import type { LedgerPosition } from './ledger/ledger.ts';
import { ledgerFiles, readLedger } from './ledger/read-ledger.ts';

export interface CaughtUp {
  /** Clicks that the index did not have. */
  added: number;
  /** Lines whose ids the index may have dropped after it counted them. */
  forgotten: number;
  /** Lines that are not clicks. They stay in the ledger. */
  unreadable: number;
}

interface Options {
  /** Gets a message about a file that could be read only in part. */
  warn?: (message: string) => void;
  /** Gets the index's position if no file of the ledger has it. The ledger is then read from its start. */
  onMissing?: (known: LedgerPosition) => void;
  /** Ends the work between two chunks. The index keeps the chunks read so far. */
  signal?: AbortSignal;
}

/** Bound of the attempts when a rotation renames or packs files meanwhile. */
const ATTEMPTS = 5;

/**
 * @param current the open ledger's end; the current file is read up to there
 * @throws the signal's reason, or the error of the index or the file system
 */
export async function catchUp(
  clickIndex: ClickIndex,
  path: string,
  current: LedgerPosition,
  options: Options = {},
): Promise<CaughtUp> {
  const result = { added: 0, forgotten: 0, unreadable: 0 };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await readOn(clickIndex, path, current, options, result);
      return result;
    } catch (cause) {
      if (attempt === ATTEMPTS || !isFileGone(cause, path)) throw cause;
      result.forgotten = result.unreadable = 0;
    }
  }
}

/** Did a file of the ledger get another name after it was listed? */
function isFileGone(cause: unknown, path: string): boolean {
  const { code, path: name } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' && name?.startsWith(path) === true;
}

async function readOn(
  clickIndex: ClickIndex,
  path: string,
  current: LedgerPosition,
  { onMissing, ...options }: Options,
  result: CaughtUp,
): Promise<void> {
  const known = await clickIndex.position();
  if (known && isSamePlace(known, current)) return;
  const { files, first } = findKnown(path, known);
  if (known && first < 0) onMissing?.(known);
  // Without a known position, lines whose ids the index has dropped must not count again.
  const oldest = first < 0 ? ((await clickIndex.forgottenBefore()) ?? '') : '';
  for (const [i, file] of files.slice(Math.max(first, 0)).entries()) {
    const from = i === 0 && first >= 0 ? (known?.offset ?? 0) : 0;
    // Bytes after the end belong to a failed group, and will be cut off.
    const to = inodeOf(file) === current.file ? current.offset : Number.POSITIVE_INFINITY;
    await indexFile(clickIndex, file, { from, to, oldest, ...options }, result);
  }
  await clickIndex.commitGroup([], async () => current);
}

/** Looks twice, because a rotation may rename files between their listing and their reading. */
function findKnown(path: string, known: LedgerPosition | null) {
  const look = () => {
    const files = ledgerFiles(path);
    return { files, first: known ? findFile(files, known) : -1 };
  };
  const found = look();
  return known && found.first < 0 ? look() : found;
}

interface Range extends Options {
  from: number;
  to: number;
  /** Ids before this one are skipped. */
  oldest: string;
}

async function indexFile(
  clickIndex: ClickIndex,
  file: string,
  range: Range,
  result: CaughtUp,
): Promise<void> {
  const { from, to, oldest, warn, signal } = range;
  const name = { file: inodeOf(file), first: firstIdOf(file) };
  for await (const { lines, end } of readLedger(file, from, to, warn)) {
    signal?.throwIfAborted();
    const rows: ClickRow[] = [];
    for (const line of lines) {
      const row = readRow(line);
      if (row && row.id < oldest) result.forgotten += 1;
      else if (row) rows.push(row);
      else if (line.trim() !== '') result.unreadable += 1;
    }
    const fresh = await clickIndex.commitGroup(rows, async () => ({ ...name, offset: end }));
    result.added += fresh.filter(Boolean).length;
  }
}

function readRow(line: string): ClickRow | null {
  try {
    const { id, event, received_at, is_bot } = JSON.parse(line);
    if (!isUuid(id) || typeof event !== 'string' || typeof received_at !== 'string') return null;
    return { id, event, day: received_at.slice(0, 10), isBot: is_bot === true };
  } catch {
    return null;
  }
}
