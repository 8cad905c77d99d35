import type { Language } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { readingLevel, wordsOf } from '../helpers/browser/reading-level.ts';
import { spanishReadingLevel } from '../helpers/browser/spanish-reading-level.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, helpPagesIn, landingIn } from './routes.ts';

test.use({ build: 'full' });

const MAX_WORDS_PER_SENTENCE = 16;
const MAX_WORDS_IN_HEADING = 8;

/** Grades 7 and 8 have a score of 60 to 70, and grade 5 has one of 80 to 90. */
const LIMITS = {
  page: { grade: 8, score: 60 },
  easy: { grade: 5, score: 80 },
};

/** The specification's own title, word for word, and its translation. */
const LONG_HEADINGS = [/^The SMA journey is improving/, /^El camino con AME mejora/];

for (const language of EVERY_LANGUAGE) {
  test(`T19 every page (${language}) reads at grade 8 or below, in short sentences, under short headings`, async ({
    page,
  }) => {
    for (const path of [landingIn(language), ...helpPagesIn(language)]) {
      await page.goto(path);
      const sentences = await page.locator('main').evaluate(wholeSentences);
      const kind = path.endsWith(HELP_PATHS.easy) ? 'easy' : 'page';
      expect.soft(levelFaults(language, sentences, LIMITS[kind]), path).toEqual([]);
      const headings = await page.getByRole('heading').allInnerTexts();
      const long = headings.filter((heading) => wordsOf(heading).length > MAX_WORDS_IN_HEADING);
      const unexpected = long.filter((heading) => !LONG_HEADINGS.some((own) => own.test(heading)));
      expect.soft(unexpected, `${path}: headings`).toEqual([]);
    }
  });
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
  if (language === 'es') {
    const { wordsPerSentence, score } = spanishReadingLevel(blocks);
    const isHard = score < limits.score;
    return [...lengthFaults(wordsPerSentence), ...(isHard ? [`score ${score.toFixed(1)}`] : [])];
  }
  const { wordsPerSentence, grade } = readingLevel(blocks);
  const isHard = grade > limits.grade;
  return [...lengthFaults(wordsPerSentence), ...(isHard ? [`grade ${grade.toFixed(1)}`] : [])];
}

const lengthFaults = (words: number): string[] =>
  words > MAX_WORDS_PER_SENTENCE ? [`${words.toFixed(1)} words a sentence`] : [];
