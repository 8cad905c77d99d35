/** The two phases of a scan, each for the share of one thread. */
import type { TextField, Texts } from './dictionary.ts';
import { hashOf, markFirst } from './first-received.ts';
import { type LaterVisits, noLaterVisits, noteLaterClick, takeNumbered } from './later-visits.ts';
import { LineReader } from './line-reader.ts';
import { readUnit } from './read-unit.ts';
import { AT, RECORD_WORDS, receivedOf, setPlace } from './record.ts';
import { compileFilter, type Filter, selectLines } from './select.ts';
import { lengthOf, Memory, PARTITIONS, readSpills, Spill, type SpillFile } from './spill.ts';
import { addRecords, emptyTally, type Tally, type TallyOptions } from './tally.ts';
import type { LedgerFile, Unit } from './units.ts';

export interface ReadResult {
  spills: SpillFile[];
  texts: Texts;
  laterVisits: LaterVisits;
  /** Lines that are not clicks. */
  unreadable: number;
  warnings: string[];
}

/** First phase: reads units into the partitions. */
export interface PartReader {
  read(unit: Unit): Promise<void>;
  /** @param toFiles whether another thread reads the partitions */
  finish(toFiles: boolean): ReadResult;
}

/** @param until milliseconds since 1970: lines that were received later do not exist for this scan */
export function createPartReader(
  files: readonly LedgerFile[],
  until: number,
  folder: string,
  name: string,
): PartReader {
  const lines = new LineReader();
  const spill = new Spill(folder, name, RECORD_WORDS);
  const laterVisits = noLaterVisits();
  const warnings: string[] = [];
  let unreadable = 0;
  const { record } = lines;
  return {
    read: (unit) =>
      readUnit(
        files[unit.file] as LedgerFile,
        unit,
        (bytes, start, end, offset) => {
          if (!lines.read(bytes, start, end)) unreadable += 1;
          else if (receivedOf(record, 0) <= until) {
            setPlace(record, 0, unit.file, offset);
            noteLaterClick(laterVisits, record);
            spill.add(hashOf(record, 0) % PARTITIONS, record);
          }
        },
        (message) => warnings.push(message),
      ),
    finish: (toFiles) => ({
      spills: spill.finish(toFiles),
      texts: lines.texts(),
      laterVisits,
      unreadable,
      warnings,
    }),
  };
}

/** Results of the second phase. */
export interface Question {
  tally: TallyOptions | null;
  filter: Filter | null;
  /** Whether to collect the clicks of visits with several clicks. */
  gaps?: boolean;
}

export interface Shared {
  /** The partitions' files of each thread, and the code maps of its texts. */
  spills: SpillFile[][];
  maps: Record<TextField, Uint32Array>[];
  texts: Texts;
  /** Of all threads; null: there are none, or the question does not need them. */
  laterVisits: LaterVisits | null;
}

export interface CountResult {
  tally: Tally | null;
  /** File numbers and offsets, one after the other. */
  places: Float64Array[];
  /** Clicks of visits with several clicks (later-visits.ts). */
  numbered: BigUint64Array[];
}

/** Second phase: removes repetitions and counts, partition by partition. */
export function countPartitions(
  partitions: readonly number[],
  shared: Shared,
  question: Question,
): CountResult {
  const { texts } = shared;
  const tally = question.tally && emptyTally(texts, question.tally);
  const matches = question.filter && compileFilter(question.filter, texts);
  const places: Float64Array[] = [];
  const numbered: BigUint64Array[] = [];
  const [recordMemory, slotMemory] = [new Memory(), new Memory()];
  for (const partition of partitions) {
    const words = readPartition(partition, shared, recordMemory);
    const isFirst = markFirst(words, slotMemory);
    if (tally && question.tally)
      addRecords(tally, words, isFirst, question.tally, texts.event.length);
    if (matches && question.filter)
      places.push(selectLines(words, isFirst, matches, question.filter.duplicates));
    if (shared.laterVisits) numbered.push(takeNumbered(words, isFirst, shared.laterVisits));
  }
  return { tally, places, numbered };
}

function readPartition(partition: number, { spills, maps }: Shared, memory: Memory): Uint32Array {
  const files = spills.map((list) => list[partition] as SpillFile);
  const words = readSpills(files, RECORD_WORDS, memory);
  let at = 0;
  for (const [i, file] of files.entries()) {
    const map = maps[i] as Record<TextField, Uint32Array>;
    for (const end = at + lengthOf(file, RECORD_WORDS); at < end; at += RECORD_WORDS) {
      const event = words[at + AT.event] as number;
      words[at + AT.ref] = map.ref[words[at + AT.ref] as number] as number;
      words[at + AT.campaign] = map.campaign[words[at + AT.campaign] as number] as number;
      words[at + AT.domain] = map.domain[words[at + AT.domain] as number] as number;
      words[at + AT.event] = (map.event[event & 0xffff] as number) + (event >>> 16) * 0x10000;
    }
  }
  return words;
}
