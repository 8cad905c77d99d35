/**
 * Forgets a visitor's clicks in one ledger: replaces their lines by tombstones, in the current file, in rotated and in packed ones.
 * A server may run meanwhile.
 */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { lockLedger } from '../ledger/lock-ledger.ts';
import { isPacked, ledgerFiles } from '../ledger/read-ledger.ts';
import { type FoundLine, findClicks } from './find-clicks.ts';
import { finalParts, readIndexedEnd } from './indexed-end.ts';
import { finishJournal, note, patchSafely } from './journal.ts';
import { linesOf, type PlacedLine } from './lines-of.ts';
import { rewritePacked } from './rewrite-packed.ts';
import { buryClick, buryRejected, type FoundClick, type Wanted } from './wanted.ts';

/** Lines of one journal, about 1 MB. */
const BATCH = 2000;
const PAUSE_MS = 200;
/** A running server needs some milliseconds until a new line is in the index. */
const PATIENCE_MS = 10_000;

export interface ForgetPlace {
  /** The paths of one data folder. */
  files: {
    ledger: string;
    lock: string;
    ledgerId: string;
    clickIndex: string;
    rejectedBodies: string;
    deletedClicks: string;
    forgetJournal: string;
    forgetLock: string;
  };
  databaseUrl: URL | null;
}

export interface Forgotten {
  /** By id. */
  clicks: Map<string, FoundClick>;
  files: Set<string>;
  rejectedBodies: number;
}

/**
 * Goes on until the ledger has none of the visitor's lines, because a rotation or a packing may happen meanwhile.
 *
 * @param now ISO 8601
 * @throws an Error that says what to do; the clicks that were forgotten until then stay forgotten
 */
export async function forgetClicks(
  place: ForgetPlace,
  wanted: Wanted,
  now: string,
  warn: (message: string) => void,
): Promise<Forgotten> {
  const { files } = place;
  const unlock = lockLedger(files.forgetLock, files.forgetJournal);
  // With this lock no server runs, and none starts until the end.
  const unlockLedger = tryLock(files.lock, files.ledger);
  try {
    const finished = finishJournal(journalOf(files), pathsOf(files));
    if (finished) warn(finished);
    const forgotten: Forgotten = { clicks: new Map(), files: new Set(), rejectedBodies: 0 };
    const isRunning = unlockLedger === null;
    for (const began = performance.now(); ; await wait(PAUSE_MS)) {
      const order = { wanted, now, isRunning };
      const { done, left } = await forgetOnce(place, order, forgotten).catch(orAgain);
      if (done === 0 && left === 0) break;
      if (done === 0 && performance.now() - began > PATIENCE_MS) throw tooEarly(left);
    }
    for (const path of rejectedFiles(files))
      forgotten.rejectedBodies += await forgetRejected(files, path, wanted, now);
    return forgotten;
  } finally {
    unlockLedger?.();
    unlock();
  }
}

/** A file was renamed or packed meanwhile. */
function orAgain(cause: unknown) {
  if ((cause as { code?: unknown }).code === 'ENOENT') return { done: 0, left: 1 };
  throw cause;
}

const tooEarly = (lines: number) =>
  new Error(
    `${lines} of the visitor's lines are left. They are not in the click index yet, so the server may still move them, or ` +
      'their files change all the time. Run the command again when /readyz says "ready".',
  );

/** @returns null: a server has the lock */
function tryLock(lock: string, ledger: string): (() => void) | null {
  try {
    return lockLedger(lock, ledger);
  } catch {
    return null;
  }
}

interface Order {
  wanted: Wanted;
  now: string;
  isRunning: boolean;
}

/** Without clicks that arrive during the command, because a flood of them would never end. */
const countOld = (lines: readonly FoundLine[], now: string) =>
  lines.filter(({ click }) => click.received_at <= now).length;

/** @returns the number of older lines that were replaced, and of those that are left: not final yet, or moved meanwhile */
async function forgetOnce(place: ForgetPlace, order: Order, forgotten: Forgotten) {
  const paths = ledgerFiles(place.files.ledger);
  const ends = order.isRunning
    ? finalParts(paths, await readIndexedEnd(place))
    : paths.map(() => Number.POSITIVE_INFINITY);
  let [done, left] = [0, 0];
  for (const [i, path] of paths.entries()) {
    const found: FoundLine[] = [];
    for await (const lines of findClicks(path, order.wanted)) found.push(...lines);
    const final = found.filter(({ offset }) => offset < (ends[i] ?? 0));
    const buried = final.length > 0 ? await bury(place.files, path, final, order.now) : [];
    const old = countOld(buried, order.now);
    done += old;
    left += countOld(found, order.now) - old;
    if (buried.length === 0) continue;
    forgotten.files.add(path);
    for (const { click } of buried) forgotten.clicks.set(click.id, click);
  }
  return { done, left };
}

/** @returns the lines that are replaced now; the others have moved to another file meanwhile */
async function bury(
  files: ForgetPlace['files'],
  path: string,
  found: readonly FoundLine[],
  now: string,
): Promise<FoundLine[]> {
  const patches = found.map(({ offset, bytes, click }) => ({
    offset,
    from: bytes,
    to: buryClick(click, bytes.length, now),
  }));
  if (isPacked(path)) {
    if (!(await rewritePacked(path, replaceBy(patches)))) return [];
    note(files.deletedClicks, path, patches, now);
    return [...found];
  }
  const done = new Set<number>();
  for (let n = 0; n < patches.length; n += BATCH) {
    const part = patchSafely(journalOf(files), path, patches.slice(n, n + BATCH), now);
    for (const { offset } of part) done.add(offset);
  }
  return found.filter(({ offset }) => done.has(offset));
}

/** Leaves a line as it is if it is not the one that was found there. */
function replaceBy(patches: readonly { offset: number; from: Buffer; to: string }[]) {
  const byOffset = new Map(patches.map((patch) => [patch.offset, patch]));
  return ({ offset, bytes }: PlacedLine): Buffer => {
    const patch = byOffset.get(offset);
    return patch?.from.equals(bytes) ? Buffer.from(patch.to) : bytes;
  };
}

async function forgetRejected(
  files: ForgetPlace['files'],
  path: string,
  wanted: Wanted,
  now: string,
): Promise<number> {
  const patches: { offset: number; from: Buffer; to: string }[] = [];
  for await (const lines of linesOf(path)) {
    for (const { bytes, offset } of lines) {
      const to = buryRejected(bytes.toString(), wanted);
      if (to !== null) patches.push({ offset, from: bytes, to });
    }
  }
  return patches.length === 0 ? 0 : patchSafely(journalOf(files), path, patches, now).length;
}

const journalOf = ({ forgetJournal, deletedClicks }: ForgetPlace['files']) => ({
  journal: forgetJournal,
  notes: deletedClicks,
});

const rejectedFiles = ({ rejectedBodies }: ForgetPlace['files']) =>
  [`${rejectedBodies}.1`, rejectedBodies].filter((path) => existsSync(path));

const pathsOf = (files: ForgetPlace['files']) => [
  ...ledgerFiles(files.ledger),
  ...rejectedFiles(files),
];

/**
 * Completes at the server's start what a crash of the command has interrupted.
 *
 * @returns a sentence for the log; null: there was nothing to do, or the command is at work just now
 */
export function finishForgetting(files: ForgetPlace['files']): string | null {
  const unlock = tryLock(files.forgetLock, files.forgetJournal);
  if (unlock === null) return null;
  try {
    return finishJournal(journalOf(files), pathsOf(files));
  } finally {
    unlock();
  }
}
