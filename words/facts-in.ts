/** The operator's facts in the words of a page. */
import { createElement, Fragment, type ReactNode } from 'react';
import { LANGUAGES, type Language } from '#contract/language.ts';
import type { Facts, FactsByLanguage } from '#site.config.ts';

/**
 * The facts as a page in this language shows them. A fact that is there in another language only says which one with its `lang`,
 * so that screen readers pronounce it right.
 */
export const factsIn = (facts: FactsByLanguage, language: Language): Facts =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      fact !== null && typeof fact === 'object' ? wordsIn(fact, language) : fact,
    ]),
  ) as Facts;

function wordsIn(fact: Record<Language, string | null>, language: Language): ReactNode {
  if (fact[language] !== null) return fact[language];
  const other = LANGUAGES.find((each) => fact[each] !== null);
  return other ? createElement('span', { lang: other }, fact[other]) : null;
}

/** A sentence with facts in it, as a tagged template. It is a plain text unless a fact has a `lang`. */
export function withFacts(texts: TemplateStringsArray, ...facts: ReactNode[]): ReactNode {
  const parts = texts.flatMap((text, i) => (i < facts.length ? [text, facts[i]] : [text]));
  return parts.every((part) => typeof part === 'string')
    ? parts.join('')
    : createElement(Fragment, null, ...parts);
}
