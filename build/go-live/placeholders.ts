/** The settings that still have the values of the repository, which name a product, a partner and an operator that do not exist. */
import { isDeepStrictEqual } from 'node:util';
import type { FactsByLanguage, SiteConfig } from '#site.config.ts';

/** Names that no one can own (RFC 2606), and this machine. */
const PLACEHOLDER = /(?:^|\.)(?:example|example\.(?:com|net|org)|invalid|localhost|test)$/i;

/** @param host a host name, with or without a port */
export const isPlaceholderHost = (host: string): boolean =>
  PLACEHOLDER.test(host.replace(/:\d+$/, ''));

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

/** Returns the entries of `examples` that the settings still have. */
const kept = (settings: object, examples: object): [key: string, value: unknown][] =>
  Object.entries(examples).filter(([key, value]) =>
    isDeepStrictEqual(settings[key as keyof typeof settings], value),
  );

/** Returns the texts of the example's facts that the settings still have. */
export const inventedTexts = ({ facts }: SiteConfig): string[] =>
  kept(facts, INVENTED).flatMap(([, value]) =>
    typeof value === 'string' ? value : Object.values(value as object),
  );

/** Returns the values of the example that the settings still have, by their keys in site.json. */
export function exampleValues(site: SiteConfig): Record<string, unknown> {
  const isExample = site.facts.operator === INVENTED.operator;
  const facts = kept(site.facts, isExample ? { ...INVENTED, ...SHARED } : INVENTED);
  return Object.fromEntries([
    ...kept(site, KEYS),
    ...facts.map(([key, value]) => [`facts.${key}`, value] as const),
  ]);
}

/** Returns the values of the example that the settings still have, as `key: value`. */
export const placeholders = (site: SiteConfig): string[] =>
  Object.entries(exampleValues(site)).map(([key, value]) => `${key}: ${inShort(value)}`);

const inShort = (value: unknown): string =>
  typeof value === 'object' ? Object.values(value ?? {}).join(' / ') : String(value);
