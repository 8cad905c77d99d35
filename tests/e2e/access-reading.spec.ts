import type { Page } from '@playwright/test';
import { readingLevel, wordsOf } from '../helpers/browser/reading-level.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form' });

const MAX_GRADE = 8;
const MAX_WORDS_PER_SENTENCE = 16;
const MAX_WORDS_IN_HEADING = 8;
const MAX_WORDS = 1200;

/** The specification's own texts, word for word. */
const LONG_HEADING = 'The SMA journey is improving, but not fast enough';

test('T19 the page as it is shown reads at grade 8 or below, in short sentences, and is soon read', async ({
  page,
}) => {
  await page.goto('/');
  const paragraphs = await page.locator('main p').allInnerTexts();
  const { grade, wordsPerSentence } = readingLevel(paragraphs);
  expect(grade).toBeLessThanOrEqual(MAX_GRADE);
  expect(wordsPerSentence).toBeLessThanOrEqual(MAX_WORDS_PER_SENTENCE);
  expect(wordsOf(await wordsOfMain(page)).length).toBeLessThan(MAX_WORDS);
  const headings = await page.getByRole('heading').allInnerTexts();
  const long = headings.filter((heading) => wordsOf(heading).length > MAX_WORDS_IN_HEADING);
  expect(long).toEqual([LONG_HEADING]);
});

test('T19 abbreviations are spelled out at their first use', async ({ page }) => {
  await page.goto('/');
  const words = await wordsOfMain(page);
  for (const [letters, spelled] of [
    ['SMA', 'spinal muscular atrophy (SMA)'],
    ['CF', 'cystic fibrosis (CF)'],
  ] as const) {
    const first = words.search(new RegExp(`\\b${letters}\\b`));
    expect(words.slice(0, first + letters.length + 1)).toMatch(endsWith(spelled));
  }
});

const endsWith = (words: string) => new RegExp(`${RegExp.escape(words)}$`);

const wordsOfMain = async (page: Page) => (await page.locator('main').allInnerTexts()).join();
