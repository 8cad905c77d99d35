/** Waits for new lines of a ledger, also across rotations. */
import { watch } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inodeOf } from '../server/clicks/ledger/find-position.ts';
import { isPacked, ledgerFiles, readLedger } from '../server/clicks/ledger/read-ledger.ts';
import type { Reading } from './lines-in-order.ts';

/** A network file system reports no changes. */
const LOOK_MS = 1000;

/**
 * Waits for the next change from before it reads, so that it misses no line in between. Resolves when the signal aborts.
 *
 * @param onLines gets whole lines
 */
export async function followLedger(
  reading: Reading,
  onLines: (lines: string[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const changes = watch(dirname(reading.path), { signal })[Symbol.asyncIterator]();
  const nextChange = () => changes.next().catch(ignoreAbort);
  const known = new Set(ledgerFiles(reading.path).map(inodeOfExisting));
  let change = nextChange();
  while (!signal.aborted) {
    await readOn(reading, known, onLines);
    const isChange = await Promise.race([
      change.then(() => true),
      delay(LOOK_MS, false, { signal }).catch(ignoreAbort),
    ]);
    if (isChange) change = nextChange();
  }
}

function ignoreAbort(cause: Error): undefined {
  if (cause.name !== 'AbortError') throw cause;
}

/**
 * First finishes the file that it was reading, which a rotation may have renamed: the server writes into it until its
 * next SIGHUP. Then it reads the new files from their beginning.
 *
 * @param known inodes of the files that were there before
 */
async function readOn(
  reading: Reading,
  known: Set<string>,
  onLines: (lines: string[]) => Promise<void>,
): Promise<void> {
  const files = ledgerFiles(reading.path);
  const inodes = files.map(inodeOfExisting);
  const at = inodes.indexOf(reading.place?.file ?? '');
  // Rotation has packed or deleted the file meanwhile: its rest cannot be told from other files.
  const first = at >= 0 ? at : files.indexOf(reading.path);
  if (first < 0) return;
  for (const [i, file] of files.entries()) {
    const inode = inodes[i] ?? '';
    if (i !== first && (i < first || isPacked(file) || known.has(inode))) continue;
    known.add(inode);
    const from = i === at ? (reading.place?.offset ?? 0) : 0;
    reading.place = { file: inode, offset: from };
    for await (const { lines, end } of readLedger(file, from, undefined, () => {})) {
      await onLines(lines);
      reading.place = { file: inode, offset: end };
    }
  }
}

function inodeOfExisting(file: string): string {
  try {
    return inodeOf(file);
  } catch {
    return '';
  }
}
