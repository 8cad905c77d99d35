/**
 * Reads ledgers of any size on all cores, within a fixed memory. Each id counts once: records go into partitions by
 * their id, in temporary files, and each partition fits into memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { countSeqGaps } from '../seq-gaps.ts';
import { mergeTexts, type Texts } from './dictionary.ts';
import { groupByVisit, joinLaterVisits } from './later-visits.ts';
import {
  type CountResult,
  countPartitions,
  createPartReader,
  type Question,
  type ReadResult,
  type Shared,
} from './scan-part.ts';
import type { ThreadData, ThreadRequest } from './scan-thread.ts';
import { PARTITIONS } from './spill.ts';
import { addTally, emptyTally, type Tally } from './tally.ts';
import { closeLedgers, cutIntoUnits, type LedgerFile, openLedgers, type Unit } from './units.ts';

/** Smaller ledgers are read by this thread, because starting others takes longer. */
const SMALL_BYTES = 16 * 1024 * 1024;
const MOST_THREADS = 8;
const YOUNG_GENERATION_MB = 8;

export interface Scan {
  files: LedgerFile[];
  texts: Texts;
  unreadable: number;
  warnings: string[];
  /** null: the question did not ask for it. */
  tally: Tally | null;
  /** Offsets of the chosen lines by file, in ascending order. */
  places: Float64Array[];
  /** Clicks that gaps in the numbers of visits prove to be lost, by day; null: there are no such numbers. */
  lostPerDay: ReadonlyMap<string, number> | null;
}

/** The work of both kinds of readers: this thread, and others. */
interface Part {
  read(unit: Unit): Promise<void>;
  finish(): Promise<ReadResult>;
  count(partitions: number[], shared: Shared, question: Question): Promise<CountResult>;
  close(): Promise<unknown>;
}

interface ScanOptions {
  /** Milliseconds since 1970: lines that were received later are left out. */
  until: number;
  question: Question;
  /** Number of threads; 0: this one. Depends on the ledgers' size by default. */
  threads?: number;
}

/**
 * @param use gets the result while the ledgers' files are open
 * @throws an Error when there is no ledger at one of the paths
 */
export async function scanLedgers<T>(
  ledgers: readonly string[],
  options: ScanOptions,
  use: (scan: Scan) => T | Promise<T>,
): Promise<T> {
  const files = openLedgers(ledgers);
  const folder = mkdtempSync(join(tmpdir(), 'clicks-'));
  const parts: Part[] = [];
  try {
    const count = options.threads ?? threadsFor(files);
    const data = (i: number): ThreadData => ({ files, until: options.until, folder, name: `${i}` });
    if (count === 0) parts.push(startHere(data(0)));
    for (let i = 0; i < count; i += 1) parts.push(startThread(data(i)));
    return await use({ files, ...(await run(parts, files, options.question)) });
  } finally {
    await Promise.all(parts.map((part) => part.close()));
    rmSync(folder, { recursive: true, force: true });
    closeLedgers(files);
  }
}

function threadsFor(files: readonly LedgerFile[]): number {
  const bytes = files.reduce((sum, file) => sum + file.bytes * (file.isPacked ? 8 : 1), 0);
  return bytes < SMALL_BYTES ? 0 : Math.min(availableParallelism(), MOST_THREADS);
}

async function run(parts: Part[], files: LedgerFile[], question: Question) {
  const units = cutIntoUnits(files);
  await Promise.all(
    parts.map(async (part) => {
      for (let unit = units.shift(); unit; unit = units.shift()) await part.read(unit);
    }),
  );
  const reads = await Promise.all(parts.map((part) => part.finish()));
  const { texts, maps } = mergeTexts(reads.map((read) => read.texts));
  const laterVisits = question.gaps ? joinLaterVisits(reads.map((read) => read.laterVisits)) : null;
  const shared = { spills: reads.map(({ spills }) => spills), maps, texts, laterVisits };
  const numbers = Array.from({ length: PARTITIONS }, (_, i) => i);
  const counts = await Promise.all(
    parts.map((part, i) =>
      part.count(
        numbers.filter((number) => number % parts.length === i),
        shared,
        question,
      ),
    ),
  );
  return {
    texts,
    unreadable: reads.reduce((sum, read) => sum + read.unreadable, 0),
    warnings: reads.flatMap(({ warnings }) => warnings),
    tally: question.tally && sumTallies(counts, emptyTally(texts, question.tally)),
    places: sortPlaces(files.length, counts),
    lostPerDay: laterVisits && question.tally && lostPerDayOf(counts, question.tally.to),
  };
}

const lostPerDayOf = (counts: readonly CountResult[], until: number) =>
  countSeqGaps(
    groupByVisit(
      counts.flatMap(({ numbered }) => numbered),
      until,
    ),
  );

function sumTallies(counts: readonly CountResult[], sum: Tally): Tally {
  for (const { tally } of counts) if (tally) addTally(sum, tally);
  return sum;
}

function sortPlaces(files: number, counts: readonly CountResult[]): Float64Array[] {
  const lists = counts.flatMap(({ places }) => places);
  const sizes = new Uint32Array(files);
  const each = (act: (file: number, offset: number) => void) => {
    for (const list of lists)
      for (let i = 0; i < list.length; i += 2) act(list[i] as number, list[i + 1] as number);
  };
  each((file) => {
    sizes[file] = (sizes[file] as number) + 1;
  });
  const sorted = Array.from(sizes, (size) => new Float64Array(size));
  sizes.fill(0);
  each((file, offset) => {
    const at = sizes[file] as number;
    (sorted[file] as Float64Array)[at] = offset;
    sizes[file] = at + 1;
  });
  for (const offsets of sorted) offsets.sort();
  return sorted;
}

function startHere({ files, until, folder, name }: ThreadData): Part {
  const reader = createPartReader(files, until, folder, name);
  return {
    read: reader.read,
    finish: async () => reader.finish(false),
    count: async (partitions, shared, question) => countPartitions(partitions, shared, question),
    close: async () => {},
  };
}

function startThread(workerData: ThreadData): Part {
  const thread = new Worker(new URL('./scan-thread.ts', import.meta.url), {
    workerData,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
  });
  const ask = <T>(request: ThreadRequest) =>
    new Promise<T>((resolve, reject) => {
      thread.once('error', reject);
      thread.once('message', ({ result, error }: { result: T; error?: Error }) => {
        thread.off('error', reject);
        if (error) reject(error);
        else resolve(result);
      });
      thread.postMessage(request);
    });
  return {
    read: (unit) => ask({ kind: 'read', unit }),
    finish: () => ask({ kind: 'finish' }),
    count: (partitions, shared, question) => ask({ kind: 'count', partitions, shared, question }),
    close: () => thread.terminate(),
  };
}
