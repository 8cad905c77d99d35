/**
 * Values of the example site that an operator must replace before the site goes live.
 * docs/go-live.md says where each one is.
 */
import type { Site } from '#site.config.ts';

/**
 * The values of the repository's site.json. They are copied, because an operator changes that file.
 */
const EXAMPLE_SETTINGS = {
  siteUrl: 'http://localhost:3000',
  productName: 'SMA Data Drive',
  partnerName: 'Wayfield Health',
  operator: 'Road Forward SMA Foundation',
  operatorAddress: '1 Road Forward Way, Springfield, IL 62701, USA',
  contactEmail: 'hello@roadforward.example',
  phone: '+1 555 010 0199',
  invitationCode: 'SMADRIVE',
} satisfies Partial<Site>;

/** Invented people and organizations in the sentences of words/. */
const EXAMPLE_NAMES = [
  'Larkspur Road Fund',
  'Summit Road Research Ethics Board',
  'Elena Marchetti',
];

/** Returns the keys of site.json that still have the example's value. */
export const exampleKeys = (site: Site): string[] =>
  Object.entries(EXAMPLE_SETTINGS)
    .filter(([key, value]) => site[key as keyof typeof EXAMPLE_SETTINGS] === value)
    .map(([key]) => key);

/**
 * Returns the invented names that the pages still have.
 *
 * @param pages HTML of the built pages
 */
export const exampleNames = (pages: string[]): string[] =>
  EXAMPLE_NAMES.filter((name) => pages.some((page) => page.includes(name)));
