/** Reads ledgers for `clicks verify`: finds what is wrong with the lines, and counts the clicks as the index does. */
import { statSync } from 'node:fs';
import { counterOf } from '../../server/clicks/index/count-rows.ts';
import { countKey } from '../../server/clicks/index/read-index.ts';
import { inodeOf } from '../../server/clicks/ledger/find-position.ts';
import { parseLine } from '../../server/clicks/ledger/parse-line.ts';
import { isPacked, ledgerFiles, readLedger } from '../../server/clicks/ledger/read-ledger.ts';
import { parseTombstone } from '../../server/clicks/ledger/tombstone.ts';
import { ledgerChunks } from '../ledger-chunks.ts';
import type { SeenIds } from '../seen-ids.ts';
import type { Differences } from './differences.ts';

export interface LoggedClick {
  id: string;
  /** Key of the index's counts. */
  key: string;
  /** For people: `line 17 of FILE`. */
  place: string;
}

/** Progress of reading the ledgers. */
export interface Logged {
  seen: SeenIds;
  /** Clicks by the key of the index's counts. */
  counts: Map<string, number>;
  lines: number;
  clicks: number;
  /** Clicks in two ledgers of one index, where they count once: a server had stopped before it answered (decision 007). */
  shared: number;
  /** By inode, because rotation changes names: the number of lines and the end of the last one. */
  read: Map<string, { file: string; lines: number; end: number }>;
}

export const nothingRead = (seen: SeenIds): Logged => ({
  seen,
  counts: new Map(),
  lines: 0,
  clicks: 0,
  shared: 0,
  read: new Map(),
});

/** Reads the ledgers, and yields the new clicks of each chunk. */
export async function* readClicks(
  paths: readonly string[],
  logged: Logged,
  differences: Differences,
): AsyncGenerator<LoggedClick[]> {
  const onDamaged = (message: string) => differences.add('damaged', message);
  for await (const { file, lines, end } of ledgerChunks(paths, { onDamaged }))
    yield takeLines(paths, logged, { file, lines, end }, differences);
  for (const { file, end } of logged.read.values()) {
    const isCurrent = paths.includes(file);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const rest = isCurrent || isPacked(file) ? 0 : size - end;
    if (rest > 0) differences.add('torn', `The last ${rest} bytes of ${file} are not a whole line`);
  }
}

/** Reads what a running server has added meanwhile, also across a rotation. */
export async function readRest(
  paths: readonly string[],
  logged: Logged,
  differences: Differences,
): Promise<void> {
  for (const file of paths.flatMap((path) => ledgerFiles(path))) {
    // A packed file has lines that were read before, under another name.
    if (isPacked(file)) continue;
    const from = logged.read.get(inodeOf(file))?.end ?? 0;
    for await (const { lines, end } of readLedger(file, from))
      takeLines(paths, logged, { file, lines, end }, differences);
  }
}

function takeLines(
  paths: readonly string[],
  logged: Logged,
  { file, lines, end }: { file: string; lines: string[]; end: number },
  differences: Differences,
): LoggedClick[] {
  const fresh: LoggedClick[] = [];
  const inode = inodeOf(file);
  // A rotated file has its ledger's name and more.
  const ledger = paths.findIndex((path) => file.startsWith(path));
  let number = logged.read.get(inode)?.lines ?? 0;
  for (const text of lines) {
    number += 1;
    const place = `line ${number} of ${file}`;
    const click = parseLine(text) ?? parseTombstone(text);
    if (!click) {
      differences.add('unreadable', `Not a click: ${place}`);
      continue;
    }
    logged.clicks += 1;
    if (!logged.seen.add(click.id, ledger)) {
      if (logged.seen.ledgerOf(click.id) !== ledger) logged.shared += 1;
      else differences.add('repeated', `The id ${click.id} is there twice, now in ${place}`);
      continue;
    }
    const key = countKey(click.received_at.slice(0, 10), counterOf(click.event), click.is_bot);
    logged.counts.set(key, (logged.counts.get(key) ?? 0) + 1);
    fresh.push({ id: click.id, key, place });
  }
  logged.lines += lines.length;
  logged.read.set(inode, { file, lines: number, end });
  return fresh;
}
