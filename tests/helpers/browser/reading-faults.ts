/** How hard the words of a page are to read (T19). An empty list means no fault. */
import type { Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { readingLevel, wordsOf } from './reading-level.ts';
import { spanishReadingLevel } from './spanish-reading-level.ts';

const MAX_WORDS_PER_SENTENCE = 16;
const MAX_WORDS_IN_HEADING = 8;
const MAX_WORDS = 1200;

/** Grades 7 and 8 have a score of 60 to 70, and grade 5 has one of 80 to 90. */
const LIMITS = {
  page: { grade: 8, score: 60 },
  easy: { grade: 5, score: 80 },
};

/** The specification's own title, word for word, and its translation. */
const LONG_HEADINGS = [/^The SMA journey is improving/, /^El camino con AME mejora/];

/** Letters that English pages spell out at their first use. */
const SPELLED_OUT = {
  SMA: 'spinal muscular atrophy (SMA)',
  CF: 'cystic fibrosis (CF)',
};

export async function readingFaults(
  page: Page,
  path: string,
  language: Language,
): Promise<string[]> {
  const main = page.locator('main');
  const blocks = await main.evaluate(wholeSentences);
  const headings = (await page.getByRole('heading').allInnerTexts())
    .filter((heading) => wordsOf(heading).length > MAX_WORDS_IN_HEADING)
    .filter((heading) => !LONG_HEADINGS.some((own) => own.test(heading)))
    .map((heading) => `long: ${heading}`);
  const isEasy = path.endsWith(HELP_PATHS.easy);
  const faults = [...headings, ...levelFaults(language, blocks, LIMITS[isEasy ? 'easy' : 'page'])];
  if (path !== '/') return faults;
  const words = await main.innerText();
  const count = wordsOf(words).length;
  if (count >= MAX_WORDS) faults.push(`${count} words`);
  for (const [letters, spelled] of Object.entries(SPELLED_OUT)) {
    const first = words.search(new RegExp(`\\b${letters}\\b`));
    if (!words.slice(0, first + letters.length + 1).endsWith(spelled)) faults.push(letters);
  }
  return faults;
}

/** Runs in the page. Returns its blocks of prose. Names and labels are left out, because they would shorten the sentences. */
function wholeSentences(main: Element): string[] {
  const blocks = main.querySelectorAll<HTMLElement>('p, li, dd, td');
  return [...blocks]
    .filter((block) => !block.querySelector('p, li, dd, td') && !block.closest('form'))
    .map((block) => block.innerText.trim())
    .filter((text) => /[.!?…]["”’»)]?$/.test(text));
}

function levelFaults(
  language: Language,
  blocks: string[],
  limits: { grade: number; score: number },
): string[] {
  if (blocks.length === 0) return [];
  if (language === 'es') {
    const { wordsPerSentence, score } = spanishReadingLevel(blocks);
    return [...lengthFaults(wordsPerSentence), ...(score < limits.score ? [`score ${score}`] : [])];
  }
  const { wordsPerSentence, grade } = readingLevel(blocks);
  return [...lengthFaults(wordsPerSentence), ...(grade > limits.grade ? [`grade ${grade}`] : [])];
}

const lengthFaults = (words: number): string[] =>
  words > MAX_WORDS_PER_SENTENCE ? [`${words} words a sentence`] : [];
