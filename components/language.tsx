/** Gives components the page's language, and words and paths in it. */
import { createContext, useContext } from 'react';
import { type Language, pathIn, splitPath } from '#contract/language.ts';

/**
 * The browser's React roots have no provider. They read the language from the address,
 * because a browser's translator rewrites `<html lang>`. Undefined during prerendering.
 */
const languageOfUrl = globalThis.location && splitPath(location.pathname).language;
const LanguageContext = createContext<Language>(languageOfUrl ?? 'en');

/** Sets the language during prerendering. */
export const LanguageProvider = LanguageContext.Provider;

export const useLanguage = (): Language => useContext(LanguageContext);

/** Returns the texts of a page or part in the page's language. */
export const useWords = <Words,>(words: Record<Language, Words>): Words => words[useLanguage()];

/**
 * Returns a function from a page's English path to the path of the same page in this page's
 * language.
 */
export function usePath(): (path: string) => string {
  const language = useLanguage();
  return (path) => pathIn(language, path);
}
