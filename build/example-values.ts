/**
 * The example's values that an operator must replace before the site goes live. docs/go-live.md
 * says where each one is.
 */
import type { Site } from '#site.config.ts';

/** The repository's site.json. Not read from there, because an operator changes it there. */
const KEYS = {
  siteUrl: 'http://localhost:3000',
  productName: 'SMA Data Drive',
  partnerName: 'Wayfield Health',
  operator: 'Road Forward SMA Foundation',
  operatorAddress: '1 Road Forward Way, Springfield, IL 62701, USA',
  contactEmail: 'hello@roadforward.example',
  phone: '+1 555 010 0199',
  invitationCode: 'SMADRIVE',
} satisfies Partial<Site>;

/** People and organizations of the sentences in words/ that do not exist. */
const NAMES = ['Larkspur Road Fund', 'Summit Road Research Ethics Board', 'Elena Marchetti'];

/** @returns the keys of site.json that still have a value of the example */
export const exampleKeys = (site: Site): string[] =>
  Object.entries(KEYS)
    .filter(([key, value]) => site[key as keyof typeof KEYS] === value)
    .map(([key]) => key);

/** @param pages the HTML of the built pages @returns the names that a real site would not have */
export const exampleNames = (pages: string[]): string[] =>
  NAMES.filter((name) => pages.some((page) => page.includes(name)));
