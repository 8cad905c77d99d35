/**
 * `clicks verify`: is each line of the ledgers a click, is each id in a ledger once, and does the index agree? Changes no data. Without a
 * difference it ends the servers' warning about a changed ledger.
 */
import { existsSync, readFileSync } from 'node:fs';
import { openIndexReader } from '../../server/clicks/index/read-index.ts';
import { unknownFiles } from '../../server/clicks/ledger/ignored-files.ts';
import { readNotes } from '../../server/clicks/retention/deleted-clicks.ts';
import type { Config } from '../../server/config.ts';
import { dataFiles } from '../../server/data-files.ts';
import { filesOf } from '../ledger-chunks.ts';
import { createSeenIds, type SeenIds } from '../seen-ids.ts';
import { readCount } from '../usage-error.ts';
import { warnOfIgnored } from '../warn.ts';
import { compareCounts, createMissing, findUnlogged } from './compare-index.ts';
import { createDifferences, type Differences } from './differences.ts';
import { endWarnings, readWarnings } from './end-warnings.ts';
import { type Logged, nothingRead, readClicks } from './read-clicks.ts';

export const VERIFY_OPTIONS = {
  limit: { type: 'string' },
  ledger: { type: 'string', multiple: true },
} as const;

type Files = Config['files'];

/**
 * @param folders data folders
 * @throws an Error if anything differs
 */
export async function verify(
  folders: readonly string[],
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  options: { limit?: string | undefined },
  print: (text: string) => void,
): Promise<void> {
  const differences = createDifferences(readCount('limit', options.limit, 20), print);
  const all = folders.map(dataFiles);
  for (const { ledger } of all) nameUnknown(ledger, print);
  const warnings = readWarnings(all);
  const seen = createSeenIds();
  // Servers without a shared database have an index each.
  const groups = databaseUrl ? [all] : all.map((files) => [files]);
  let isProven = true;
  for (const group of groups)
    if (!(await verifyGroup(group, databaseUrl, { seen, differences }, print))) isProven = false;
  differences.finish();
  const count = differences.count();
  if (count > 0) throw new Error(`${count} ${count === 1 ? 'difference' : 'differences'}.`);
  endWarnings(warnings, isProven, print);
  print('No difference.\n');
}

function nameUnknown(ledger: string, print: (text: string) => void): void {
  filesOf(ledger);
  warnOfIgnored(ledger);
  const unknown = unknownFiles(ledger);
  if (unknown.length > 0) print(`Not the server's own: ${unknown.join(', ')}\n`);
}

/** @returns whether every line that a ledger lacks would have been found */
async function verifyGroup(
  group: Files[],
  databaseUrl: URL | null,
  { seen, differences }: { seen: SeenIds; differences: Differences },
  print: (text: string) => void,
): Promise<boolean> {
  const [{ clickIndex = '' } = {}] = group;
  const paths = group.map(({ ledger }) => ledger);
  const logged = nothingRead(seen);
  const index = await openIndexReader({ file: clickIndex, databaseUrl });
  if (!index) {
    for await (const _ of readClicks(paths, logged, differences));
    describeLedgers(paths, logged, print);
    differences.add(
      'index',
      `There is no index at ${clickIndex}. The server makes it at its start`,
    );
    return false;
  }
  try {
    const forgottenBefore = await index.forgottenBefore();
    const missing = createMissing(index, forgottenBefore, differences);
    for await (const clicks of readClicks(paths, logged, differences)) await missing.check(clicks);
    await missing.finish();
    const others = await otherLedgers(group, await index.ledgers());
    const deleted = deletedClicks(group);
    if (others > 0) print(`${index.name} also has ${others} other ledgers: name all to compare.\n`);
    else {
      await findUnlogged(index, { paths, logged, deleted }, differences);
      if (deleted === 0) await compareCounts(index, { paths, logged }, differences);
    }
    describeLedgers(paths, logged, print);
    print(`Compared with ${index.name}.\n`);
    return others === 0 && (deleted === 0 || forgottenBefore === null);
  } finally {
    await index.close();
  }
}

function describeLedgers(paths: string[], logged: Logged, print: Print): void {
  const { lines, clicks, shared, read } = logged;
  print(`${paths.join(', ')}: ${read.size} files, ${lines} lines, ${clicks} clicks.\n`);
  if (shared > 0)
    print(
      `${shared} clicks are in two ledgers, because a server stopped before it answered. Each counts once.\n`,
    );
}
type Print = (text: string) => void;

/** @returns the number of ledgers in a shared index that were not named */
async function otherLedgers(group: Files[], ledgers: string[] | null): Promise<number> {
  if (ledgers === null) return 0;
  const named = group
    .filter(({ ledgerId }) => existsSync(ledgerId))
    .map(({ ledgerId }) => readFileSync(ledgerId, 'utf8').trim());
  return ledgers.filter((id) => !named.includes(id)).length;
}

/** The index keeps the clicks of files that retention has deleted. Forgotten clicks still have a line. */
const deletedClicks = (group: Files[]): number =>
  group
    .flatMap(({ deletedClicks }) => readNotes(deletedClicks))
    .filter(({ reason }) => reason !== 'forgotten')
    .reduce((sum, { clicks, robots }) => sum + clicks + robots, 0);
