import type { Language } from './language.ts';

/** @param code two letters (ISO 3166-1), such as US @returns the country's name, such as "United States" */
export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
