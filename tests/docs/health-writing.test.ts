/** docs/health-writing.md has a score of every page, as its items give it, and none below the Index's threshold. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HELP_PATHS } from '#words/help-paths.ts';

const ITEMS = 20;
const THRESHOLD = 90;

/** The cells of the table's rows whose first cell matches. */
const rows = (first: RegExp): string[][] =>
  readFileSync('docs/health-writing.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.replaceAll('*', '').trim()))
    .map((cells) => cells.slice(1, -1))
    .filter(([cell = '', ...rest]) => rest.length > 3 && first.test(cell));

const [pages = []] = rows(/^item$/);
const [scores = []] = rows(/^score$/);
const items = rows(/^\d+ /);

test('the table scores the landing page and every help page by all items', () => {
  expect(pages.slice(1)).toEqual(['landing', ...Object.keys(HELP_PATHS)]);
  expect(items).toHaveLength(ITEMS);
});

test.each(pages.slice(1))('%s has the score that its items give, and enough', (page) => {
  const column = pages.indexOf(page);
  const judged = items.map((cells) => cells[column]).filter((mark) => mark !== '–');
  const score = Math.round((100 * judged.filter((mark) => mark === '1').length) / judged.length);
  expect(scores[column]).toBe(String(score));
  expect(score).toBeGreaterThanOrEqual(THRESHOLD);
});
