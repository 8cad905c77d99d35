/** The values of site.json that are open before the site goes live: the example's, and facts that are not set. */
import { isDeepStrictEqual } from 'node:util';
import { LANGUAGES } from '#contract/language.ts';
import type { FactsByLanguage, SiteConfig } from '#site.config.ts';

/** The repository's site.json. Not read from there, because an operator changes it there. */
const KEYS = {
  siteUrl: 'http://localhost:3000',
  productName: 'SMA Data Drive',
  partnerName: 'Wayfield Health',
  contactEmail: 'hello@roadforward.example',
  invitationCode: 'SMADRIVE',
} satisfies Partial<SiteConfig>;

/** Its facts that only an invented operator has. */
const INVENTED = {
  operator: 'Road Forward SMA Foundation',
  operatorAddress: '1 Road Forward Way, Springfield, IL 62701, USA',
  funder: {
    en: 'gifts from families and a grant from the Larkspur Road Fund',
    es: 'donaciones de familias y de una subvención del Larkspur Road Fund',
  },
  oversight: {
    en: 'Summit Road Research Ethics Board, approval number 2026-0412',
    es: 'Summit Road Research Ethics Board, aprobación número 2026-0412',
  },
  phone: '+1 555 010 0199',
  reviewedOn: '2026-11-20',
  reviewer: {
    en: 'Dr. Elena Marchetti, pediatric neurologist',
    es: 'la Dra. Elena Marchetti, neuróloga pediátrica',
  },
} satisfies Partial<FactsByLanguage>;

/** Its facts that a real operator may share. They are examples as long as the operator is one. */
const SHARED = {
  minAge: 18,
  guardians: true,
  country: 'US',
  cost: 'free',
  signUpMinutes: 10,
} satisfies Partial<FactsByLanguage>;

/** @returns the keys of `examples` whose values the settings still have */
const kept = (settings: object, examples: object): string[] =>
  Object.entries(examples)
    .filter(([key, value]) => isDeepStrictEqual(settings[key as keyof typeof settings], value))
    .map(([key]) => key);

/** @returns the keys of site.json that still have a value of the example */
export function exampleKeys(site: SiteConfig): string[] {
  const isExample = site.facts.operator === INVENTED.operator;
  const facts = kept(site.facts, isExample ? { ...INVENTED, ...SHARED } : INVENTED);
  return [...kept(site, KEYS), ...facts.map((key) => `facts.${key}`)];
}

/** @returns the keys of the facts that are not set, such as `facts.law`, or `facts.funder.es` where a language is missing */
export const openFacts = (facts: FactsByLanguage): string[] =>
  Object.entries(facts).flatMap(([name, fact]) => {
    if (fact === null) return `facts.${name}`;
    if (typeof fact !== 'object') return [];
    return LANGUAGES.filter((language) => fact[language] === null).map(
      (language) => `facts.${name}.${language}`,
    );
  });
