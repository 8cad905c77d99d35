/**
 * How far a running server's ledger is final. The server may still cut off lines after the indexed part, and write others in
 * their place, because it acknowledges a click only when the index has it.
 */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { readLedgerId } from '../../database/ledger-id.ts';
import { findFile } from '../ledger/find-position.ts';
import type { LedgerPosition } from '../ledger/ledger.ts';

interface Place {
  /** The SQLite index and the ledger's id of one data folder. */
  files: { clickIndex: string; ledgerId: string };
  /** PostgreSQL; null: the SQLite index. */
  databaseUrl: URL | null;
}

/** @returns the end of the indexed part; null: nothing is indexed @throws an Error that says what to do */
export async function readIndexedEnd({
  files,
  databaseUrl,
}: Place): Promise<LedgerPosition | null> {
  if (databaseUrl) return readPostgres(databaseUrl, readLedgerId(files.ledgerId));
  if (!existsSync(files.clickIndex)) return null;
  const db = new DatabaseSync(files.clickIndex, { readOnly: true, timeout: 5000 });
  try {
    const row = db.prepare('SELECT file, offset, first_id FROM ledger_position').get();
    if (!row) return null;
    return { file: String(row.file), offset: Number(row.offset), first: String(row.first_id) };
  } finally {
    db.close();
  }
}

async function readPostgres(url: URL, ledger: string): Promise<LedgerPosition | null> {
  const { connect, describe } = await import('../../database/connect-postgres.ts');
  const { readPosition } = await import('../index/postgres/commit-group.ts');
  const client = await connect(url);
  try {
    return await readPosition(client, ledger);
  } catch (cause) {
    throw describe(cause, url);
  } finally {
    await client.end();
  }
}

/**
 * @param paths the ledger's files, oldest first
 * @param end from `readIndexedEnd`
 * @returns for each file, the byte up to which its lines are final
 */
export function finalParts(paths: string[], end: LedgerPosition | null): number[] {
  const at = end ? findFile(paths, end) : -1;
  return paths.map((_, i) => {
    if (i === at) return end?.offset ?? 0;
    return i < at ? Number.POSITIVE_INFINITY : 0;
  });
}
