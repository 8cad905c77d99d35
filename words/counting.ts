/** Words about counting in every language, as functions of the build's settings. */
import type { Language } from '#contract/language.ts';
import { type CountingFacts, countingDetails as en } from './en/counting.ts';
import { countingDetails as es } from './es/counting.ts';

export const COUNTING_DETAILS: Record<Language, (facts: CountingFacts) => string[]> = { en, es };
