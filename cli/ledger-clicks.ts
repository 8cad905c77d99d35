/** Reads the clicks of ledgers and their rotated files, the oldest of each ledger first. Skips lines that are not clicks. */
import { type LedgerLine, parseLine } from '../server/clicks/ledger/parse-line.ts';
import { ledgerFiles, readLedger } from '../server/clicks/ledger/read-ledger.ts';
import { createSeenIds } from './seen-ids.ts';
import { warn, warnOfIgnored } from './warn.ts';

export type LedgerClick = LedgerLine;

/**
 * Yields each id once, although it may be in the ledgers of several servers and in an operator's copy of a file.
 *
 * @param paths of the ledgers
 * @throws an Error when there is no ledger at one of them
 */
export async function* ledgerClicks(paths: string[]): AsyncGenerator<LedgerClick> {
  const seen = createSeenIds();
  for (const path of paths) {
    for await (const click of clicksOf(path)) if (seen.add(click.id)) yield click;
  }
}

async function* clicksOf(path: string): AsyncGenerator<LedgerClick> {
  const files = ledgerFiles(path);
  if (files.length === 0) throw new Error(`There is no ledger at ${path}. Is DATA_DIR right?`);
  warnOfIgnored(path);
  for (const file of files) {
    for await (const { lines } of readLedger(file, 0, Number.POSITIVE_INFINITY, warn)) {
      for (const line of lines) {
        const click = parseLine(line);
        if (click) yield click;
      }
    }
  }
}
