/**
 * The medical reviews that help pages name. tests/pages/answers.test.ts reads their lines on the
 * built pages.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import { REVIEWS } from '#words/dates.ts';

test.each(Object.entries(REVIEWS))(
  'the review of the page "%s" is of its present text, in both languages',
  (page, { texts }) => {
    const hash = createHash('sha256');
    for (const language of LANGUAGES)
      hash.update(readFileSync(`words/${language}/help/${page}.md`, 'utf8'));
    expect(
      hash.digest('hex').slice(0, 12),
      `words/*/help/${page}.md changed after its review. Have it reviewed again, or leave the review out. Then set its day and this fingerprint in words/dates.ts.`,
    ).toBe(texts);
  },
);
