/** REJECTED_RETENTION_DAYS: removes old lines from a file of rejected bodies. */
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { readLedger } from '../ledger/read-ledger.ts';

/**
 * Rewrites the file without lines that were received before. A line without a time stays.
 *
 * @param before milliseconds since 1970
 * @returns the number of removed lines
 * @throws (rejects with) the file system's error; the file is then as it was
 */
export async function removeLinesBefore(path: string, before: number): Promise<number> {
  const old = await countLinesBefore(path, before);
  if (old === 0) return 0;
  const fresh = `${path}.new`;
  try {
    const target = await open(fresh, 'w', statSync(path).mode & 0o666);
    const kept = await writeKept(path, before, target).finally(() => target.close());
    if (kept > 0) await rename(fresh, path);
    else await rm(path);
    return old;
  } finally {
    await rm(fresh, { force: true });
  }
}

async function countLinesBefore(path: string, before: number): Promise<number> {
  if (!existsSync(path)) return 0;
  let count = 0;
  for await (const { lines } of readLedger(path)) {
    count += lines.filter((line) => isBefore(line, before)).length;
  }
  return count;
}

/** Writes and syncs the lines that stay. @returns their number */
async function writeKept(path: string, before: number, target: FileHandle): Promise<number> {
  let count = 0;
  for await (const { lines } of readLedger(path)) {
    const kept = lines.filter((line) => !isBefore(line, before));
    count += kept.length;
    await target.writeFile(kept.map((line) => `${line}\n`).join(''));
  }
  await target.sync();
  return count;
}

function isBefore(line: string, before: number): boolean {
  try {
    return Date.parse(JSON.parse(line).received_at) < before;
  } catch {
    return false;
  }
}
