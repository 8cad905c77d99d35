/** Prints the chosen lines of the ledgers, unchanged, in the order of the files. */
import { readSync } from 'node:fs';
import { readUnit } from './engine/read-unit.ts';
import type { Scan } from './engine/scan.ts';
import type { LedgerFile } from './engine/units.ts';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 64 * 1024;

/** @param write called with one line and its newline */
export async function printLines(
  { files, places }: Scan,
  write: (line: Buffer) => void,
): Promise<void> {
  for (const [i, file] of files.entries()) {
    const offsets = places[i];
    if (!offsets || offsets.length === 0) continue;
    if (file.isPacked) await printPacked(file, offsets, write);
    else for (const offset of offsets) write(readLineAt(file, offset));
  }
}

async function printPacked(
  file: LedgerFile,
  offsets: Float64Array,
  write: (line: Buffer) => void,
): Promise<void> {
  let next = 0;
  await readUnit(
    file,
    { file: 0, from: 0, to: file.bytes },
    (bytes, start, end, offset) => {
      if (offset !== offsets[next]) return;
      next += 1;
      write(Buffer.concat([bytes.subarray(start, end), Buffer.from('\n')]));
    },
    () => {},
  );
}

function readLineAt({ fd, path }: LedgerFile, offset: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = offset; ; ) {
    const part = Buffer.allocUnsafe(parts.length === 0 ? 1024 : CHUNK_BYTES);
    const read = readSync(fd, part, 0, part.length, at);
    if (read === 0) throw new Error(`${path} was cut short by another program.`);
    const end = part.subarray(0, read).indexOf(NEWLINE);
    parts.push(part.subarray(0, end < 0 ? read : end + 1));
    if (end >= 0) return Buffer.concat(parts);
    at += read;
  }
}
