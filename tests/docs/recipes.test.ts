/** docs/recipes.md links a diff of a real change for each big recipe. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const REMEDY = 'docs/recipes.md, "A diff that no longer applies", has the commands that renew it.';
const DIFFS = globSync('docs/recipes/*.diff').sort();

test('docs/recipes.md links each diff once', () => {
  const page = readFileSync('docs/recipes.md', 'utf8');
  const linked = [...page.matchAll(/\]\((recipes\/[^)]+)\)/g)].map(([, path]) => `docs/${path}`);
  expect(linked.sort()).toEqual(DIFFS);
  expect(DIFFS).toHaveLength(5);
});

test.each(DIFFS)('%s applies to the tree', (diff) => {
  const { status, stderr } = spawnSync('git', ['apply', '--check', diff], { encoding: 'utf8' });
  expect(stderr, REMEDY).toBe('');
  expect(status).toBe(0);
});
