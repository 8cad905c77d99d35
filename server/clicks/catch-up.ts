/**
 * Brings the store up to the ledger's end: after a crash between the two, after the store was lost, after the ledger
 * was rotated while nobody looked. Reading a line twice changes nothing, so in doubt everything is read.
 */
import { statSync } from 'node:fs';
import type { ClickRow, Store } from '../store/store.ts';
import type { LedgerPosition } from './ledger.ts';
import { ledgerFiles, readLedger } from './read-ledger.ts';

export interface CaughtUp {
  /** Clicks that the store did not have. */
  added: number;
  /** Lines that are no click: they are left where they stand. */
  unreadable: number;
}

/** @param current the open ledger's end; the current file is read up to there */
export async function catchUp(
  store: Store,
  path: string,
  current: LedgerPosition,
): Promise<CaughtUp> {
  const known = store.position();
  const result = { added: 0, unreadable: 0 };
  if (known?.file === current.file && known.offset <= current.offset) {
    if (known.offset < current.offset) await index(store, path, known.offset, result);
    return result;
  }
  for (const file of ledgerFiles(path)) await index(store, file, 0, result);
  await store.commitGroup([], async () => current);
  return result;
}

async function index(store: Store, file: string, from: number, result: CaughtUp): Promise<void> {
  const name = String(statSync(file, { bigint: true }).ino);
  for await (const { lines, end } of readLedger(file, from)) {
    const rows: ClickRow[] = [];
    for (const line of lines) {
      const row = readRow(line);
      if (row) rows.push(row);
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
