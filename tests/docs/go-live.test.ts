/** docs/go-live.md names the file of each sentence that an operator must check. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';

test('each sentence that an operator must check is in files that exist, in both languages', () => {
  const [, section = ''] = readFileSync('docs/go-live.md', 'utf8').split('## The sentences');
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| .+[.?] \| (`.+`) \|$/gm)];
  expect(rows.length).toBeGreaterThan(15);
  const files = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)]);
  const paths = files.flatMap(([, file = '']) =>
    LANGUAGES.map((language) => join('words', language, file)),
  );
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});
