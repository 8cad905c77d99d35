/**
 * Brings the store up to the ledger's end: after a crash between the two, after the store was lost or away, after the
 * ledger was rotated while nobody looked. Reading a line twice changes nothing, so in doubt everything is read.
 */
import { statSync } from 'node:fs';
import type { ClickRow, Store } from '../store/store.ts';
import type { LedgerPosition } from './ledger.ts';
import { ledgerFiles, readLedger } from './read-ledger.ts';

export interface CaughtUp {
  /** Clicks that the store did not have. */
  added: number;
  /** Lines whose ids the store may have forgotten: they were counted in their time. */
  forgotten: number;
  /** Lines that are no click: they are left where they stand. */
  unreadable: number;
}

/** @param current the open ledger's end; the current file is read up to there */
export async function catchUp(
  store: Store,
  path: string,
  current: LedgerPosition,
): Promise<CaughtUp> {
  const known = await store.position();
  const result = { added: 0, forgotten: 0, unreadable: 0 };
  if (known?.file === current.file && known.offset === current.offset) return result;
  const files = ledgerFiles(path);
  const first = files.findIndex((file) => known !== null && isIn(file, known));
  // From a known place on, nothing has been in the store; without one, what it forgot must not count again.
  const oldest = first < 0 ? ((await store.forgottenBefore()) ?? '') : '';
  for (const [i, file] of files.slice(Math.max(first, 0)).entries()) {
    const from = i === 0 && first >= 0 ? (known?.offset ?? 0) : 0;
    // What stands behind the end is a group that failed, and will be cut off.
    const to = nameOf(file) === current.file ? current.offset : Number.POSITIVE_INFINITY;
    await index(store, file, { from, to, oldest }, result);
  }
  await store.commitGroup([], async () => current);
  return result;
}

/** Not in a file that was cut shorter, nor in one that was packed. */
const isIn = (file: string, place: LedgerPosition) =>
  nameOf(file) === place.file && statSync(file).size >= place.offset;

/** As in a position: the inode, since rotation gives a file another name. */
const nameOf = (file: string) => String(statSync(file, { bigint: true }).ino);

async function index(
  store: Store,
  file: string,
  { from, to, oldest }: { from: number; to: number; oldest: string },
  result: CaughtUp,
): Promise<void> {
  const name = nameOf(file);
  for await (const { lines, end } of readLedger(file, from, to)) {
    const rows: ClickRow[] = [];
    for (const line of lines) {
      const row = readRow(line);
      if (row && row.id < oldest) result.forgotten += 1;
      else if (row) rows.push(row);
      else if (line.trim() !== '') result.unreadable += 1;
    }
    const fresh = await store.commitGroup(rows, async () => ({ file: name, offset: end }));
    result.added += fresh.filter(Boolean).length;
  }
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function readRow(line: string): ClickRow | null {
  try {
    const { id, event, received_at, is_bot } = JSON.parse(line);
    if (!UUID.test(id) || typeof event !== 'string' || typeof received_at !== 'string') return null;
    return { id, event, day: received_at.slice(0, 10), isBot: is_bot === true };
  } catch {
    return null;
  }
}
