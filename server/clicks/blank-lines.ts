/**
 * Blanks a visitor's lines in the log files of clicks and of refused bodies. It writes over them in
 * place: the running server has today's files open and appends to them, so no byte may move.
 */
import { closeSync, globSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { plainAddress } from '../http/address.ts';
import type { Visitor } from './forget-clicks.ts';

/**
 * IPv6 addresses, which may end with an IPv4 one, and IPv4 addresses. Also matches the time of day.
 */
const ADDRESSES = /[\da-f]{0,4}:[\da-f]{0,4}:(?:[\da-f:]|\.\d)*|\d{1,3}(?:\.\d{1,3}){3}/gi;
const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/**
 * The fields that stay in a blanked line: what `site import` needs to make a forgotten row that
 * counts as before, and the reason of a refused body.
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
 * Only the lines that `site forget` writes have this field: a visitor's text cannot look like it,
 * because JSON escapes its quotes. Those lines have nothing to blank.
 */
const FORGOTTEN_FIELD = '"forgotten_at":';
const CHUNK_BYTES = 1024 * 1024;

/** @param folder DATA_DIR @returns the number of blanked lines */
export function blankLines(folder: string, visitor: Visitor): number {
  let blanked = 0;
  for (const name of globSync('{clicks,refused}-*.jsonl', { cwd: folder })) {
    const fd = openSync(join(folder, name), 'r+');
    for (const [line, at] of linesOf(fd)) {
      const text = line.toString();
      if (text.includes(FORGOTTEN_FIELD) || !isOf(visitor, text)) continue;
      const blank = Buffer.alloc(line.length, ' ');
      blank.write(keptOf(text));
      writeSync(fd, blank, 0, blank.length, at);
      blanked += 1;
    }
    closeSync(fd);
  }
  return blanked;
}

/** Yields each line and its place, without the last one if the server is still writing it. */
function* linesOf(fd: number): Generator<[line: Buffer, at: number]> {
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

/** Searches the text, because a refused body may be anything. It may blank a line too many. */
function isOf({ visits, clicks, address }: Visitor, text: string): boolean {
  const uuids = (text.match(UUIDS) ?? []).map((uuid) => uuid.toLowerCase());
  if (uuids.some((uuid) => visits.has(uuid) || clicks.has(uuid))) return true;
  if (address === null) return false;
  return (text.match(ADDRESSES) ?? []).some((found) => plainAddress(found) === address);
}

/** @returns an empty object for half a line, which a power cut has left */
function keptOf(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), KEPT_FIELDS);
  } catch {
    return '{}';
  }
}
