/** Gives components the page's language, and words and paths in it. */
import { createContext, useContext } from 'react';
import { pageLanguage } from '#browser/page-language.ts';
import { type Language, pathIn } from '#contract/language.ts';

/** The browser's React roots have no provider, and get the page's own language. */
const LanguageContext = createContext<Language>(globalThis.location ? pageLanguage() : 'en');

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
