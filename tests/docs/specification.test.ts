import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A line of the page that names a test: - `file` › title, or › group › title. */
const REFERENCE = /^- `(tests\/[^`]+)` › (.+)$/gm;
/** A requirement's number, or an access test's id, at the start of its paragraph. */
const NUMBER = /^\*\*(\d+\.\d+|T\d+)\*\*/gm;

const page = readFileSync('docs/specification.md', 'utf8');
const references = [...page.matchAll(REFERENCE)].map(([, file = '', titles = '']) => ({
  file,
  titles: titles.split(' › '),
}));

test('each test that docs/specification.md names exists under that title', () => {
  expect(references.length).toBeGreaterThan(100);
  const stale = references.flatMap(({ file, titles }) =>
    titles.filter((title) => !hasTitle(file, title)).map((title) => `${file} › ${title}`),
  );
  expect(stale).toEqual([]);
});

test('each requirement of docs/specification.md has a number of its own and names a test', () => {
  const paragraphs = page.split(NUMBER).slice(1);
  const numbers = paragraphs.filter((_, i) => i % 2 === 0);
  expect(new Set(numbers).size).toBe(numbers.length);
  const unshown = numbers.filter((_, i) => !/^- `tests\//m.test(paragraphs[2 * i + 1] ?? ''));
  expect(unshown).toEqual([]);
});

test('docs/specification.md has every access test, T0 to T19', () => {
  const ids = [...page.matchAll(/^\*\*(T\d+)\*\*/gm)].map(([, id]) => id);
  expect(ids).toEqual(Array.from({ length: 20 }, (_, i) => `T${i}`));
});

/** Whether the file has the title as a whole string. A value that the test puts into it is written as … in the page. */
function hasTitle(file: string, title: string): boolean {
  const source = readFileSync(file, 'utf8').replaceAll(/\$\{[^{}]*\}/g, '…');
  return ["'", '"', '`'].some((quote) => source.includes(quote + title + quote));
}
