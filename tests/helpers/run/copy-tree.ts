/** Copies the working tree, for edits that must never reach the tree itself. */
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
 * Packages are links. Caches are left out, so that an edited file cannot enter the tree's own
 * caches.
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
