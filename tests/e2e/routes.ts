/** The pages that the access tests visit: the site's own list of help pages, in each of its languages. */
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';

export const EVERY_LANGUAGE = LANGUAGES;

export const landingIn = (language: Language): string => pathIn(language, '/');

export const everyHelpPageIn = (language: Language): string[] =>
  Object.values(HELP_PATHS).map((path) => pathIn(language, path));

/** A path without a page, which the server answers with the 404 page. */
export const missingIn = (language: Language): string => pathIn(language, '/no-such-page');

/** What Chromium reports for `missingIn`, because the document's own status is an error to it. */
export const MISSING_COMPLAINT = /404 \(Not Found\) \S+\/no-such-page\b/;
