/** The language in which a page is prerendered. */
import { createContext, useContext } from 'react';
import type { Language } from '#contract/language.ts';
import { pathIn } from '#contract/language.ts';

const LanguageContext = createContext<Language>('en');

export const LanguageProvider = LanguageContext.Provider;

export const useLanguage = (): Language => useContext(LanguageContext);

/** Returns the words in the page's language. */
export const useWords = <Words,>(words: Record<Language, Words>): Words => words[useLanguage()];

/** Returns a function from a page's English path to the path of the same page in this page's language. */
export function usePath(): (path: string) => string {
  const language = useLanguage();
  return (path) => pathIn(language, path);
}
