/** Each counted page loads one script, and the same one, so that it runs after one round trip. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
const read = (path: string) => readFileSync(join(CLIENT, path), 'utf8');
const scriptsOf = (path: string) =>
  [...read(join(path, 'index.html')).matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => src);
const [script = ''] = scriptsOf('/');

test.each(
  LANGUAGES.flatMap((language) =>
    ['/', ...Object.values(HELP_PATHS)].map((path) => pathIn(language, path)),
  ),
)('%s loads the script of the landing page, and no other', (path) => {
  expect(script).not.toBe('');
  expect(scriptsOf(path)).toEqual([script]);
});

test('the script imports no other file before it runs', () => {
  expect(read(script)).not.toMatch(/(?:from|import)\s*["'`]\.{1,2}\//);
});
