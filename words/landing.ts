/** The words of the landing page in every language. */
import { facts, site } from 'virtual:site';
import type { Language } from '#contract/language.ts';
import { landing as en, type LandingWords } from './en/landing.ts';
import { landing as es } from './es/landing.ts';
import { factsIn } from './facts-in.ts';

export const LANDING: Record<Language, LandingWords> = {
  en: en(site, factsIn(facts, 'en')),
  es: es(site, factsIn(facts, 'es')),
};
