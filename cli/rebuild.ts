/** `clicks rebuild`: builds the click index again from the ledger and its rotated files. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { catchUp } from '../server/clicks/catch-up.ts';
import { openSqliteIndex } from '../server/clicks/index/sqlite-index.ts';
import { openLedger } from '../server/clicks/ledger/ledger.ts';
import { endLedgerWarning } from '../server/clicks/ledger/ledger-changes.ts';
import { lockLedger } from '../server/clicks/ledger/lock-ledger.ts';
import { describeDeleted } from '../server/clicks/retention/deleted-clicks.ts';
import type { Config } from '../server/config.ts';
import { warn, warnOfIgnored } from './warn.ts';

/** Replaces the old index only when the new one is complete. */
export async function rebuild(files: Config['files'], print: (text: string) => void) {
  mkdirSync(dirname(files.ledger), { recursive: true });
  const unlock = lockLedger(files.lock, files.ledger);
  warnOfIgnored(files.ledger);
  const fresh = `${files.clickIndex}.new`;
  remove(fresh);
  const clickIndex = openSqliteIndex(fresh, () => {});
  const ledger = openLedger(files.ledger, () => {});
  const { added, unreadable } = await catchUp(clickIndex, files.ledger, ledger.position(), {
    warn,
  });
  ledger.close();
  await clickIndex.close();
  remove(files.clickIndex);
  renameSync(fresh, files.clickIndex);
  const wasIncomplete = endLedgerWarning(files);
  unlock();
  print(`${added} clicks are in ${files.clickIndex}.\n`);
  if (unreadable > 0) print(`${unreadable} lines of the ledger are not clicks and were skipped.\n`);
  if (wasIncomplete) print(LINES_GONE);
  const missing = describeDeleted(files.deletedClicks);
  if (missing !== null) print(`${missing}\n`);
}

/** After a rebuild from a ledger that lacks lines. */
export const LINES_GONE =
  'The ledger lacks lines that another program removed. The statistics no longer count them, and /healthz no longer warns of it.\n';

function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
