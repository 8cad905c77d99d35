import type { Language } from './language.ts';

/** @param code two letters (ISO 3166-1), such as US @returns the country's name, such as "United States" */
export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;

/** English puts an article before these names. */
const WITH_ARTICLE =
  /^(United|Netherlands|Philippines|Bahamas|Gambia|Maldives|Dominican)|(Republic|Islands)$/;

/** Returns the country's name for use after "in": "the United States", "Estados Unidos". */
export function countryInSentence(code: string, language: Language): string {
  const name = countryName(code, language);
  return language === 'en' && WITH_ARTICLE.test(name) ? `the ${name}` : name;
}
