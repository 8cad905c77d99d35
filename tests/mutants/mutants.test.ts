/** `npm run test:mutants` reports edits that no test notices. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTANTS } from './list.ts';
import { checkList, type Mutant, tryMutants } from './try-mutants.ts';

const FILE = 'tracking/clicks/backoff.ts';
const TESTS = ['tests/tracking/clicks/backoff.test.ts'];
const KILLED: Mutant = {
  name: 'no jitter',
  file: FILE,
  find: 'return random * Math.min(',
  replace: 'return Math.min(',
  tests: TESTS,
};
const SURVIVOR: Mutant = {
  name: 'a comment',
  file: FILE,
  find: KILLED.find,
  replace: `/* a comment */ ${KILLED.find}`,
  tests: TESTS,
};
const INVALID: Mutant = { ...SURVIVOR, name: 'no program', replace: 'export const = ;' };

test('reports edits that survive and edits that are not valid code, and leaves the tree unchanged', async () => {
  const before = readFileSync(FILE, 'utf8');
  let said = '';
  const results = await tryMutants(process.cwd(), [KILLED, SURVIVOR, INVALID], (text) => {
    said += text;
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['killed', 'survived', 'invalid']);
  expect(said).toContain('pass without an edit');
  expect(said).toMatch(/^SURVIVED .* a comment$/m);
  expect(readFileSync(FILE, 'utf8')).toBe(before);
}, 120_000);

test('refuses a stale list, and tests that fail without any edit', async () => {
  const root = process.cwd();
  const stale = { ...KILLED, find: 'text that was there long ago' };
  expect(() => checkList(root, [stale])).toThrow(
    'stale (tests/mutants/list):\n  "no jitter": its text is 0 times in tracking/clicks/backoff.ts',
  );
  const lost = { ...KILLED, tests: ['tests/tracking/no-such.test.ts'] };
  await expect(tryMutants(root, [lost], () => {})).rejects.toThrow('fail without any edit');
}, 120_000);

test('has more than thirty edits, whose texts, files, tests and titles exist', () => {
  expect(MUTANTS.length).toBeGreaterThan(30);
  const paths = MUTANTS.flatMap(({ tests }) => tests);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  checkList('.', MUTANTS);
  const untitled = MUTANTS.filter(({ title = '', tests }) =>
    tests.every((path) => !new RegExp(title).test(readFileSync(path, 'utf8'))),
  );
  expect(untitled.map(({ name }) => name)).toEqual([]);
});
