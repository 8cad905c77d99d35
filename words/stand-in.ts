/** The words of the portal's stand-in in every language. */
import { site } from 'virtual:site';
import type { Language } from '#contract/language.ts';
import { standIn as en, type StandInWords } from './en/stand-in.ts';
import { standIn as es } from './es/stand-in.ts';

export const STAND_IN: Record<Language, StandInWords> = { en: en(site), es: es(site) };
