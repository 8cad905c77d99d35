/**
 * Formats a click as the line that pino writes, byte for byte. pino itself formats key by key; one JSON.stringify for
 * the whole line costs half of that (docs/decisions/010-one-way-for-a-click.md).
 */
import { hostname } from 'node:os';
import { pino } from 'pino';

const LEVEL = `{"level":${pino.levels.values.info}`;
const PROCESS = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;

/**
 * Returns the line with its newline.
 *
 * @param line not empty: text, finite numbers, booleans, null, and objects of these; undefined is left out
 */
export function formatLine(line: object): string {
  return `${LEVEL},"time":${Date.now()},${PROCESS},${JSON.stringify(line).slice(1)}\n`;
}
