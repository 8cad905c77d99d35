/** Merges the lines of several ledgers in the order of their reception, a chunk of each ledger at a time. */
import { inodeOf } from '../server/clicks/ledger/find-position.ts';
import { ledgerChunks } from './ledger-chunks.ts';
import { receivedAt } from './line-filter.ts';

/** A ledger, and the position up to which it has been read. */
export interface Reading {
  path: string;
  /** Inode of the file, and a byte of it. null: nothing has been read. */
  place: { file: string; offset: number } | null;
}

interface Options {
  /** Milliseconds since 1970. */
  since: number;
  matches: (line: string) => boolean;
}

interface Timed {
  line: string;
  at: number;
}

/** Moves the readings' places forward. */
export async function* linesInOrder(readings: Reading[], options: Options): AsyncGenerator<string> {
  const sources = readings.map((reading) => timedLines(reading, options));
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    const first = earliest(heads);
    const head = heads[first];
    if (!head || head.done) return;
    yield head.value.line;
    heads[first] = await (sources[first] as AsyncGenerator<Timed>).next();
  }
}

/** @returns the index of the earliest head; -1: all sources have ended */
function earliest(heads: readonly IteratorResult<Timed>[]): number {
  let first = -1;
  let time = Number.POSITIVE_INFINITY;
  for (const [i, head] of heads.entries()) {
    if (head.done || head.value.at >= time) continue;
    [first, time] = [i, head.value.at];
  }
  return first;
}

async function* timedLines(reading: Reading, { since, matches }: Options): AsyncGenerator<Timed> {
  let last = 0;
  for await (const { file, lines, end } of ledgerChunks([reading.path], { since })) {
    for (const line of lines) {
      // A line that is not a click has the time of the one before.
      last = receivedAt(line) ?? last;
      if (matches(line)) yield { line, at: last };
    }
    reading.place = { file: inodeOf(file), offset: end };
  }
}
