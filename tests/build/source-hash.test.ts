/**
 * Whether tests tell a build of the present files from an older one, so that none measures a stale
 * build.
 */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashSources } from '../../build/source-hash.ts';
import { isFresh } from '../helpers/run/build.ts';
import { copyTree } from '../helpers/run/copy-tree.ts';
import { siteFile } from '../helpers/run/site-file.ts';

const DIST = process.env.DIST_DIR ?? 'dist';
const copy = copyTree();
afterAll(() => copy.remove());

const hashCopy = () => hashSources(join(copy.path, 'site.json'), copy.path);
const append = (path: string) => appendFileSync(join(copy.path, path), '\n');
const write = (path: string) => writeFileSync(join(copy.path, path), '');
const remove = (path: string) => rmSync(join(copy.path, path));

test('the build that tests measure is of the present files and the site.json of this tree', () => {
  expect(isFresh(DIST)).toBe(true);
  expect(isFresh(DIST, siteFile({ registerForm: true }))).toBe(false);
  expect(isFresh('node_modules/.cache/no-such-build')).toBe(false);
});

test.each([
  ['a page’s script', append, 'pages/index/+client.ts'],
  ['a text', append, 'words/es/help/privacy.md'],
  ['a style sheet', append, 'renderer/css/theme.css'],
  ['a drawing', append, 'components/drawings/hero.svg'],
  ['a script of the browser', append, 'browser/inline/visit-inline.ts'],
  ['a schema', append, 'contract/limits.ts'],
  ['a step of the build', append, 'build/finish.ts'],
  ['the settings', append, 'site.json'],
  ['the configuration', append, 'vite.config.ts'],
  ['a version of a package', append, 'package-lock.json'],
  ['a new page', write, 'pages/index/new.tsx'],
  ['a file that is gone', remove, 'public/favicon.png'],
])('%s makes an earlier build stale', (_what, change, path) => {
  const before = hashCopy();
  change(path);
  expect(hashCopy()).not.toBe(before);
});

test('tests, documents and the temporary files of a running build make no build stale', () => {
  const before = hashCopy();
  append('tests/build/size.test.ts');
  append('README.md');
  write('pages/+config.ts.build-0123456789ab.mjs');
  expect(hashCopy()).toBe(before);
});
