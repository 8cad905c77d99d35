/** Reads files of JSON lines, without the test runner, because browser tests use them too. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Line = Record<string, unknown> & { id: string; event: string };

/**
 * The lines of all days.
 *
 * @param name `clicks` or `refused`
 * @throws when a line is not JSON, or the last one is incomplete
 */
export function readDailyLines(folder: string, name: string): Line[] {
  const files = readdirSync(folder).filter((file) => file.startsWith(`${name}-2`));
  return files.sort().flatMap((file) => parseLines(readFileSync(join(folder, file), 'utf8')));
}

/** @throws when a line is not JSON, or the last one is incomplete */
export function parseLines(text: string): Line[] {
  if (text !== '' && !text.endsWith('\n'))
    throw new Error(`The last line is incomplete: ${text.slice(-80)}`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
