/**
 * Erases a visitor's lines in the log files of clicks and of refused clicks (`site forget`). Each
 * line is overwritten in place with spaces, because the running server appends to today's files, so
 * that no byte of them may move.
 */
import { closeSync, globSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { plainAddress } from '../http/address.ts';
import type { Visitor } from './forget-clicks.ts';

/**
 * Finds IPv6 addresses, which may end with an IPv4 address, and IPv4 addresses. It also finds times
 * of day, which then equal no address.
 */
const ADDRESSES = /[\da-f]{0,4}:[\da-f]{0,4}:(?:[\da-f:]|\.\d)*|\d{1,3}(?:\.\d{1,3}){3}/gi;
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/**
 * Fields that stay in an erased line. From a click's fields, `site import` makes a forgotten row,
 * which counts as before. `reason` is why a click was refused.
 */
const KEPT_FIELDS = [
  'level',
  'time',
  'pid',
  'hostname',
  'id',
  'event',
  'received_at',
  'via',
  'is_bot',
  'is_internal',
  'is_automated',
  'private',
  'duplicate',
  'reason',
];
/**
 * The field that marks a line which `site forget` has written. Such a line has no personal data, so
 * it is skipped. A visitor's text cannot contain this sequence, because JSON escapes quotes.
 */
const FORGOTTEN_FIELD = '"forgotten_at":';
const CHUNK_BYTES = 1024 * 1024;

/**
 * Erases the lines of a visitor in all daily files.
 *
 * @param folder DATA_DIR
 * @returns the number of erased lines
 */
export function blankLines(folder: string, visitor: Visitor): number {
  let blanked = 0;
  for (const name of globSync('{clicks,refused}-*.jsonl', { cwd: folder })) {
    const file = openSync(join(folder, name), 'r+');
    for (const [line, offset] of readLines(file)) {
      const text = line.toString();
      if (text.includes(FORGOTTEN_FIELD) || !isAboutVisitor(visitor, text)) continue;
      const blank = Buffer.alloc(line.length, ' ');
      blank.write(keepOnlyFields(text));
      writeSync(file, blank, 0, blank.length, offset);
      blanked += 1;
    }
    closeSync(file);
  }
  return blanked;
}

/**
 * Yields each complete line of a file, with its offset in bytes. A last line without a line break
 * is left out, because the server may still be writing it.
 */
function* readLines(fd: number): Generator<[line: Buffer, at: number]> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest = Buffer.alloc(0);
  let at = 0;
  for (let size = -1; size !== 0; ) {
    size = readSync(fd, chunk, 0, CHUNK_BYTES, at + rest.length);
    rest = Buffer.concat([rest, chunk.subarray(0, size)]);
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      yield [rest.subarray(0, end), at];
      at += end + 1;
      rest = rest.subarray(end + 1);
    }
  }
}

/**
 * Whether a line names one of the visitor's visits, clicks or addresses. It searches the raw text,
 * because a refused body may be anything. It may match a line of somebody else too.
 */
function isAboutVisitor({ visits, clicks, address }: Visitor, text: string): boolean {
  const uuids = (text.match(UUIDS) ?? []).map((uuid) => uuid.toLowerCase());
  if (uuids.some((uuid) => visits.has(uuid) || clicks.has(uuid))) return true;
  if (address === null) return false;
  return (text.match(ADDRESSES) ?? []).some((found) => plainAddress(found) === address);
}

/**
 * Returns the line as JSON with only the fields of KEPT_FIELDS. Returns `{}` for an incomplete
 * line, as a power cut leaves it.
 */
function keepOnlyFields(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), KEPT_FIELDS);
  } catch {
    return '{}';
  }
}
