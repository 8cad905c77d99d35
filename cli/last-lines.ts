/** Finds the last lines of several ledgers, without reading the ledgers from their beginning. */
import { statSync } from 'node:fs';
import { inodeOf } from '../server/clicks/ledger/find-position.ts';
import { isPacked, readLedger } from '../server/clicks/ledger/read-ledger.ts';
import { filesOf } from './ledger-chunks.ts';
import { receivedAt } from './line-filter.ts';
import type { Reading } from './lines-in-order.ts';
import { warn } from './warn.ts';

/** First step backwards. Far above ten lines. Each further step is four times as long. */
const STEP_BYTES = 64 * 1024;

interface Options {
  /** Number of lines in all. */
  wanted: number;
  /** Milliseconds since 1970. */
  since: number;
  matches: (line: string) => boolean;
}

/** Yields the lines in the order of their reception. Sets the readings' places to the ledgers' ends. */
export async function* lastLines(readings: Reading[], options: Options): AsyncGenerator<string> {
  const found = await Promise.all(readings.map((reading) => lastOf(reading, options)));
  const timed = found.flatMap((lines) => lines.map((line) => ({ line, at: receivedAt(line) })));
  // A line that is not a click has the time of the one before.
  for (const [i, one] of timed.entries()) one.at ??= timed[i - 1]?.at ?? 0;
  timed.sort((a, b) => Number(a.at) - Number(b.at));
  for (const { line } of timed.slice(-options.wanted)) yield line;
}

async function lastOf(reading: Reading, options: Options): Promise<string[]> {
  let found: string[] = [];
  for (const file of filesOf(reading.path).reverse()) {
    const { lines, isAll } = await lastInFile(reading, file, {
      ...options,
      wanted: options.wanted - found.length,
    });
    found = [...lines, ...found];
    if (isAll || found.length >= options.wanted) break;
  }
  return found;
}

/** @returns `isAll`: earlier files have no line that was received since then */
async function lastInFile(reading: Reading, file: string, options: Options) {
  const { wanted, since, matches } = options;
  const inode = inodeOf(file);
  const size = isPacked(file) ? 0 : statSync(file).size;
  for (let step = STEP_BYTES; ; step *= 4) {
    const from = Math.max(0, size - step);
    let lines: string[] = [];
    let oldest: string | undefined;
    let offset = from;
    for await (const chunk of readLedger(file, from, undefined, warn)) {
      // The first one has lost its beginning.
      const whole = from > 0 && offset === from ? chunk.lines.slice(1) : chunk.lines;
      oldest ??= whole[0];
      lines = [...lines, ...whole.filter(matches)].slice(-wanted);
      offset = chunk.end;
    }
    const isAll = since > 0 && (receivedAt(oldest ?? '') ?? since) < since;
    if (lines.length < wanted && from > 0 && !isAll) continue;
    // The newest file comes first. Without a whole line in this step, the file is read again from its beginning.
    reading.place ??= { file: inode, offset: offset === from ? 0 : offset };
    return { lines, isAll };
  }
}
