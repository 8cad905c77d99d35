/** Opens files that belong together as they are at one moment, also while they are rotated. */
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

const ATTEMPTS = 20;

export interface OpenedFile {
  path: string;
  fd: number;
}

/**
 * An open file keeps its content when it is renamed, packed or deleted. A rotation in between shows in a second look
 * at the folder; then everything is opened again.
 *
 * @param list the files' paths, as they are now
 * @throws when every look finds other files
 */
export function openFiles(list: () => string[]): OpenedFile[] {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const opened = list().flatMap(open);
    const now = list().map((path) => nameOf(path, statInode(path)));
    const was = opened.map(({ path, fd }) => nameOf(path, fstatSync(fd).ino));
    if (now.join() === was.join()) return opened;
    closeAll(opened);
  }
  throw new Error(`${list().join(', ')}: these files change all the time. Run the backup again.`);
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
