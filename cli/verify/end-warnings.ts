/** Ends the servers' warning about a changed ledger, once the ledger has all that the index has. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { Config } from '../../server/config.ts';

type Notes = Pick<Config['files'], 'ledgerChanges'>;

/** @returns the notes of each data folder that has some, as they are before the comparison */
export const readWarnings = (folders: readonly Notes[]): Map<string, string> =>
  new Map(
    folders
      .filter(({ ledgerChanges }) => existsSync(ledgerChanges))
      .map(({ ledgerChanges }) => [ledgerChanges, readFileSync(ledgerChanges, 'utf8')]),
  );

/** @param isProven false: the comparison could not find every missing line */
export function endWarnings(
  warnings: Map<string, string>,
  isProven: boolean,
  print: (text: string) => void,
): void {
  for (const [path, noted] of warnings) {
    if (!isProven) {
      print(
        `The ledger may still lack lines: the comparison left out other ledgers, or ids that the index has dropped. Name every ledger. If the lines are back, delete ${path}.\n`,
      );
    } else if (readFileSync(path, 'utf8') === noted) {
      rmSync(path);
      print(`The ledger is complete again, and /healthz no longer warns of it (${path}).\n`);
    }
  }
}
