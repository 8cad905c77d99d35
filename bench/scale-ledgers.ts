/** Reads what the ledgers of several servers have. */
import { statSync } from 'node:fs';
import { ledgerFiles, readLedger } from '../server/clicks/ledger/read-ledger.ts';

/** @returns every id of these ledgers, also of rotated files, as often as it is there */
export async function ledgerIds(ledgers: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const file of ledgers.flatMap((ledger) => ledgerFiles(ledger)))
    for await (const { lines } of readLedger(file))
      for (const line of lines) ids.push(JSON.parse(line).id);
  return ids;
}

/** @returns bytes of the ledgers with their rotated files */
export const ledgerBytes = (ledgers: readonly string[]): number =>
  ledgers
    .flatMap((ledger) => ledgerFiles(ledger))
    .reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
