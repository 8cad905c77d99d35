import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '../../../words/help-paths.ts';

/** Paths of every counted page, in every language. */
export const COUNTED_PAGES = LANGUAGES.flatMap((language) =>
  ['/', ...Object.values(HELP_PATHS)].map((path) => pathIn(language, path)),
);
