/** The words of the landing page's interactive parts in every language. */
import { site } from 'virtual:site';
import type { Language } from '#contract/language.ts';
import { islands as en, type IslandWords } from './en/islands.ts';
import { islands as es } from './es/islands.ts';

export const ISLANDS: Record<Language, IslandWords> = { en: en(site), es: es(site) };
