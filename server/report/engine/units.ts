/** Opens ledger files and cuts them into pieces of whole lines, which several threads can read at the same time. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isPacked, ledgerFiles } from '../../clicks/ledger/read-ledger.ts';

export interface LedgerFile {
  path: string;
  /** Open for reading. It stays this file, although rotation may rename it meanwhile. */
  fd: number;
  bytes: number;
  isPacked: boolean;
}

/** Part of a file. A packed file is always one unit. */
export interface Unit {
  file: number;
  from: number;
  to: number;
}

const UNIT_BYTES = 32 * 1024 * 1024;
const PROBE_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** @param ledgers paths of the ledgers @throws an Error when there is no ledger at one of them */
export function openLedgers(ledgers: readonly string[]): LedgerFile[] {
  const opened: LedgerFile[] = [];
  try {
    for (const ledger of ledgers) {
      const paths = ledgerFiles(ledger);
      if (paths.length === 0)
        throw new Error(`There is no ledger at ${ledger}. Is DATA_DIR right?`);
      for (const path of paths) {
        const fd = openSync(path, 'r');
        opened.push({ path, fd, bytes: fstatSync(fd).size, isPacked: isPacked(path) });
      }
    }
  } catch (cause) {
    closeLedgers(opened);
    throw cause;
  }
  return opened;
}

export function closeLedgers(files: readonly LedgerFile[]): void {
  for (const { fd } of files) closeSync(fd);
}

/** The largest units first, so that no thread gets a large one at the end. */
export function cutIntoUnits(files: readonly LedgerFile[]): Unit[] {
  const units = files.flatMap((file, i) => cutFile(file, i));
  const size = ({ file, from, to }: Unit) => (files[file]?.isPacked ? 8 : 1) * (to - from);
  return units.sort((a, b) => size(b) - size(a));
}

function cutFile(file: LedgerFile, number: number): Unit[] {
  if (file.isPacked) return [{ file: number, from: 0, to: file.bytes }];
  const units: Unit[] = [];
  for (let from = 0; from < file.bytes; ) {
    const to = nextLine(file, Math.min(from + UNIT_BYTES, file.bytes));
    if (to > from) units.push({ file: number, from, to });
    from = Math.max(to, from + UNIT_BYTES);
  }
  return units;
}

/** The first byte after a newline, from the byte before `at` on. The file's end if there is none. */
function nextLine({ fd, bytes }: LedgerFile, at: number): number {
  const probe = Buffer.allocUnsafe(PROBE_BYTES);
  for (let from = at - 1; from < bytes; from += PROBE_BYTES) {
    const read = readSync(fd, probe, 0, PROBE_BYTES, from);
    const newline = probe.subarray(0, read).indexOf(NEWLINE);
    if (newline >= 0) return from + newline + 1;
    if (read === 0) break;
  }
  return bytes;
}
