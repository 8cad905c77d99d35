/**
 * The languages of the site. English pages are at the root, and those of other languages have a
 * prefix in the path.
 */
export const LANGUAGES = ['en', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];

const PREFIXES: Record<Language, string> = { en: '', es: '/es' };

/**
 * Returns the path of a page in a language.
 *
 * @param path path of the page in English, such as `/help/`
 * @returns such as `/es/help/`
 */
export const pathIn = (language: Language, path: string): string => `${PREFIXES[language]}${path}`;

/** Returns the URL for POST /api/register. The language is that of the answer and of the mail. */
export const registerPath = (language: Language): string =>
  language === 'en' ? '/api/register' : `/api/register?language=${language}`;

/**
 * Splits a page's path, such as `/es/help/`, into its language and the path of the same page in
 * English.
 */
export function splitPath(pathname: string): { language: Language; path: string } {
  for (const language of LANGUAGES) {
    const prefix = PREFIXES[language];
    if (prefix === '') continue;
    if (pathname === prefix) return { language, path: '/' };
    if (pathname.startsWith(`${prefix}/`)) return { language, path: pathname.slice(prefix.length) };
  }
  return { language: 'en', path: pathname };
}
