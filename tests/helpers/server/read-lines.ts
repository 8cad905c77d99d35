/** Reads logs of JSON lines. It does not import Vitest, because browser tests use it, too. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Line = Record<string, unknown> & { id: string; event: string };

/**
 * Reads the lines of all daily files of a log, in the order of the days.
 *
 * @param folder the data folder
 * @param name `clicks` or `refused`
 * @throws if a line is not JSON, or the last one of a file is incomplete
 */
export function readDailyLines(folder: string, name: string): Line[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}-2`));
  return files.sort().flatMap((file) => parseLines(readFileSync(join(folder, file), 'utf8')));
}

/** Parses lines of JSON. @throws if a line is not JSON, or the last one is incomplete */
export function parseLines(text: string): Line[] {
  if (text !== '' && !text.endsWith('\n'))
    throw new Error(`The last line is incomplete: ${text.slice(-80)}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
