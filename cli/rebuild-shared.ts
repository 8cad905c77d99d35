/**
 * `clicks rebuild` for an index that several servers share: empties it, and fills it from the named ledgers. Servers on other
 * machines notice the change with their next click, and add their own clicks.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { catchUp } from '../server/clicks/catch-up.ts';
import { emptyIndex } from '../server/clicks/index/postgres/empty-index.ts';
import { openPostgresIndex } from '../server/clicks/index/postgres/postgres-index.ts';
import { openLedger } from '../server/clicks/ledger/ledger.ts';
import { endLedgerWarning } from '../server/clicks/ledger/ledger-changes.ts';
import { lockLedger } from '../server/clicks/ledger/lock-ledger.ts';
import { ledgerFiles } from '../server/clicks/ledger/read-ledger.ts';
import { describeDeleted } from '../server/clicks/retention/deleted-clicks.ts';
import { dataFiles } from '../server/data-files.ts';
import { readLedgerId } from '../server/database/ledger-id.ts';
import { nameOf } from '../server/database/name-of.ts';
import { LINES_GONE } from './rebuild.ts';
import { warn, warnOfIgnored } from './warn.ts';

const silent = { info() {}, warn() {} };

/** @param folders the data folders of the ledgers; their servers must not run */
export async function rebuildShared(url: URL, folders: string[], print: (text: string) => void) {
  const all = folders.map(dataFiles);
  const unlocks = all.map(({ lock, ledger }) => lockLedger(lock, ledger));
  const oldest = await Promise.all(all.map(({ ledger }) => firstTime(ledger)));
  await emptyIndex(url, new Date(Math.min(Date.now(), ...oldest)));
  for (const files of all) {
    const ledger = openLedger(files.ledger, () => {});
    const clickIndex = openPostgresIndex({
      url,
      ledger: readLedgerId(files.ledgerId),
      keepMonths: 0,
      log: silent,
    });
    warnOfIgnored(files.ledger);
    const { added, unreadable } = await catchUp(clickIndex, files.ledger, ledger.position(), {
      warn,
    });
    ledger.close();
    await clickIndex.close();
    print(`${added} clicks of ${files.ledger} are in ${nameOf(url)}.\n`);
    if (unreadable > 0) print(`${unreadable} of its lines are not clicks and were skipped.\n`);
    if (endLedgerWarning(files)) print(LINES_GONE);
    const missing = describeDeleted(files.deletedClicks);
    if (missing !== null) print(`${missing}\n`);
  }
  for (const unlock of unlocks) unlock();
}

/** @returns when the server received the first click, in milliseconds since 1970; the present time where that is unknown */
async function firstTime(ledger: string): Promise<number> {
  const file = ledgerFiles(ledger).find((name) => !name.endsWith('.gz'));
  if (!file) return Date.now();
  const lines = createInterface({ input: createReadStream(file) });
  for await (const line of lines) {
    const time = Date.parse(/"received_at":"([^"]+)"/.exec(line)?.[1] ?? '');
    lines.close();
    return Number.isNaN(time) ? Date.now() : time;
  }
  return Date.now();
}
