/** Paths of the pages that tests visit, in each language, from the site's own lists. */
import type { CtaName } from '#contract/cta.ts';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';

/** Path of the page on which tests press each call to action, in English. */
export const CTA_PATHS: Record<CtaName, string> = { hero: '/', closing: '/', help: '/help/' };

export const helpPagesIn = (language: Language): string[] =>
  Object.values(HELP_PATHS).map((path) => pathIn(language, path));

/** Paths of every counted page, in every language. */
export const COUNTED_PAGES = LANGUAGES.flatMap((language) => [
  pathIn(language, '/'),
  ...helpPagesIn(language),
]);

/** Returns a path without a page, which the server answers with the 404 page. */
export const missingIn = (language: Language): string => pathIn(language, '/no-such-page');

/** Chromium's message in the console when it opens the path of `missingIn`. */
export const MISSING_COMPLAINT = /404 \(Not Found\) \S+\/no-such-page\b/;
