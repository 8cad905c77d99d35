/** The words of the opt-out in every language. */
import type { Language } from '#contract/language.ts';
import type { CountingFacts } from './en/counting.ts';
import { optOut as en, type OptOutWords } from './en/opt-out.ts';
import { optOut as es } from './es/opt-out.ts';

export const OPT_OUT: Record<Language, (facts: Pick<CountingFacts, 'logIp'>) => OptOutWords> = {
  en,
  es,
};
