/**
 * docs/writing.md has a score of every page, as its items give it, and none below the Index's
 * threshold.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { HELP_PATHS } from '#words/help-paths.ts';

const ITEMS = 20;
const THRESHOLD = 90;

const [, section = ''] = readFileSync('docs/writing.md', 'utf8').split('## Scores');
/** Page, items with 0, items that do not apply, score. */
const rows = [...section.matchAll(/^\| (\w+) \| (.+) \| (.+) \| (\d+) \|$/gm)].map(
  ([, page = '', ...cells]) => ({ page, cells }),
);
const count = (items = ''): number => items.match(/\d+/g)?.length ?? 0;

test('the table scores the landing page and every help page', () => {
  expect(rows.map(({ page }) => page)).toEqual(['landing', ...Object.keys(HELP_PATHS)]);
});

test.each(rows)('$page has the score that its items give, and enough', ({ cells }) => {
  const [zeros, others, score] = cells;
  const judged = ITEMS - count(others);
  expect(Number(score)).toBe(Math.round((100 * (judged - count(zeros))) / judged));
  expect(Number(score)).toBeGreaterThanOrEqual(THRESHOLD);
});
