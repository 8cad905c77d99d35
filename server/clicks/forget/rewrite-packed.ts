/** Replaces lines of a packed ledger file: writes a new file next to it, and renames it when it is complete. */
import {
  chmodSync,
  chownSync,
  closeSync,
  createWriteStream,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { syncFolder } from './journal.ts';
import { linesOf, type PlacedLine } from './lines-of.ts';

/**
 * @param replace returns the line that stays or its replacement, of the same length
 * @returns false if another file has the name meanwhile; then nothing has changed
 * @throws the file system's error, or an Error if the archive is damaged; the file is then as it was
 */
export async function rewritePacked(
  path: string,
  replace: (line: PlacedLine) => Buffer,
): Promise<boolean> {
  // The name does not begin like a ledger's file, so that no server takes a leftover for one.
  const fresh = join(dirname(path), `forget-${basename(path)}`);
  const old = statSync(path);
  const chunks = async function* () {
    for await (const lines of linesOf(path))
      yield Buffer.concat(lines.flatMap((line) => [replace(line), NEWLINE]));
  };
  try {
    const file = createWriteStream(fresh, { mode: 0o600 });
    await pipeline(Readable.from(chunks()), createGzip(), file);
    takeOver(fresh, old);
    if (statSync(path).ino !== old.ino) return false;
    renameSync(fresh, path);
    syncFolder(dirname(path));
    return true;
  } finally {
    rmSync(fresh, { force: true });
  }
}

const NEWLINE = Buffer.from('\n');

/** Gives the new file the rights, the owner and the time of the old one, and syncs it. */
function takeOver(fresh: string, { mode, uid, gid, atime, mtime }: Stats): void {
  chmodSync(fresh, mode & 0o777);
  chownSync(fresh, uid, gid);
  utimesSync(fresh, atime, mtime);
  const fd = openSync(fresh, 'r');
  fsyncSync(fd);
  closeSync(fd);
}
