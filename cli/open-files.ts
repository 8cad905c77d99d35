/** Opens several files in the state of one moment, also during a rotation. */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

const ATTEMPTS = 20;

export interface OpenedFile {
  path: string;
  fd: number;
}

/**
 * Opens the files, then lists them again. If the list has changed, a rotation happened in between, and it opens them all
 * again. An open file keeps its content when it is renamed, packed or deleted.
 *
 * @param list returns the files' present paths
 * @throws when the files change in every attempt
 */
export function openFiles(list: () => string[]): OpenedFile[] {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const opened = list().flatMap(open);
    const now = list().map((path) => nameOf(path, statInode(path)));
    const was = opened.map(({ path, fd }) => nameOf(path, fstatSync(fd).ino));
    if (now.join() === was.join()) return opened;
    closeAll(opened);
  }
  throw new Error(
    `${list().join(', ')}: these files changed during every attempt. Run the backup again.`,
  );
}

export function closeAll(files: OpenedFile[]): void {
  for (const { fd } of files) closeSync(fd);
}

function open(path: string): OpenedFile[] {
  try {
    return [{ path, fd: openSync(path, 'r') }];
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return [];
    throw cause;
  }
}

const statInode = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
const nameOf = (path: string, inode: number) => `${path} ${inode}`;
