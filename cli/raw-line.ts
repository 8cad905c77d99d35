/** Lines of a ledger for standard output. */
import { printableJson } from '../server/text/printable.ts';

/**
 * Returns the line as it is for files and pipes. For a terminal it escapes control and format characters, because strangers
 * chose some of the texts.
 */
export const rawLine = (line: string): string =>
  process.stdout.isTTY ? printableJson(line) : line;
