/** Copies the working tree, so that a test or bench can edit the copy. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LEFT_OUT = ['.git', 'node_modules', 'dist', 'data', 'test-results', 'playwright-report'];

/**
 * Copies the tree into a temporary folder. Packages are symbolic links. Caches are left out, so
 * that no edited file gets into the caches of the tree itself.
 *
 * @returns `path` of the copy; `remove`: deletes it
 */
export function copyTree() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tree-copy-')));
  cpSync('.', path, { recursive: true, filter: (from) => !LEFT_OUT.includes(from) });
  mkdirSync(join(path, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(realpathSync(join('node_modules', name)), join(path, 'node_modules', name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
