import type { Language } from './language.ts';

/** The path of POST /api/register, with the language in which the server answers and writes its mail. */
export const registerPath = (language: Language): string =>
  language === 'en' ? '/api/register' : `/api/register?language=${language}`;
