import { type Language, splitPath } from '#contract/language.ts';

/**
 * Returns the language of the page in the browser. Its address has it, because a browser's
 * translator rewrites `<html lang>`.
 */
export const pageLanguage = (): Language => splitPath(location.pathname).language;
