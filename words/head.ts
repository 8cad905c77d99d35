/** The words in the head of each page in every language. */
import type { Language } from '#contract/language.ts';
import { head as en, type HeadWords } from './en/head.ts';
import { head as es } from './es/head.ts';

export const HEAD: Record<Language, HeadWords> = { en, es };
