/**
 * The words of the prerendered pages in every language. English defines their type. The help pages
 * have words/help.ts.
 */
import { site } from 'virtual:site';
import type { Language } from '#contract/language.ts';
import { type HeadWords, head as headEn } from './en/head.ts';
import { type LandingWords, landing as landingEn } from './en/landing.ts';
import { type StandInWords, standIn as standInEn } from './en/stand-in.ts';
import { head as headEs } from './es/head.ts';
import { landing as landingEs } from './es/landing.ts';
import { standIn as standInEs } from './es/stand-in.ts';

type Words<T> = Record<Language, T>;

export const HEAD: Words<HeadWords> = { en: headEn, es: headEs };
export const LANDING: Words<LandingWords> = { en: landingEn(site), es: landingEs(site) };
export const STAND_IN: Words<StandInWords> = { en: standInEn(site), es: standInEs(site) };
