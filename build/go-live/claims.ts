/**
 * The claims that need a fact. They are looked for in the words of the built pages, so that no page can make
 * one unseen, whichever file its words come from.
 */
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import type { SiteConfig } from '#site.config.ts';
import { inventedTexts, isPlaceholderHost } from './placeholders.ts';

/** A built page: its path, its visible words, and its HTML. */
export interface BuiltPage {
  path: string;
  words: string;
  html: string;
}

interface Claim {
  /** The claim, as a person would quote it. */
  title: string;
  /** Whether a page makes the claim. */
  isMade: (page: BuiltPage, site: SiteConfig) => boolean;
  /** Whether the facts carry it. */
  isCarried: (site: SiteConfig) => boolean;
  /** What to set. */
  fix: string;
}

const says =
  (...words: RegExp[]) =>
  (page: BuiltPage) =>
    words.some((pattern) => pattern.test(page.words));

const CLAIMS: Claim[] = [
  {
    title: 'The initiative is nationwide',
    isMade: says(/\bnationwide\b/i, /\biniciativa nacional\b/i),
    isCarried: ({ facts }) => facts.country !== null,
    fix: 'Set facts.country in site.json to the country that "nationwide" means.',
  },
  {
    title: 'The service is compliant',
    isMade: says(/\bcompliant\b/i, /\bconforme a la ley\b/i),
    isCarried: ({ facts }) => facts.law !== null && facts.lawConfirmedBy !== null,
    fix: 'Set facts.law and facts.lawConfirmedBy in site.json, once a person who may say so has confirmed the law.',
  },
  {
    title: 'Joining is free',
    isMade: says(
      /\b(?:joining|it) is free\b/i,
      /\b(?:participar|unirse) es gratis\b/i,
      /cuenta\. Es gratis\b/,
    ),
    isCarried: ({ facts }) => facts.cost === 'free',
    fix: 'Set facts.cost in site.json to "free" if joining costs nothing.',
  },
  {
    title: 'Life expectancy with cystic fibrosis is "over 65 years"',
    isMade: says(/\bover 65 years\b/i, /\bmás de 65 años\b/i),
    isCarried: ({ facts }) => facts.forecastSource !== null && facts.forecastUrl !== null,
    fix: 'Set facts.forecastSource and facts.forecastUrl in site.json to a publication that says it. The Cystic Fibrosis Foundation says 61 years for births of 2019 to 2023.',
  },
  {
    title: 'The facts of an operator who does not exist',
    isMade: ({ words }, site) => inventedTexts(site).some((text) => words.includes(text)),
    isCarried: (site) => inventedTexts(site).length === 0,
    fix: 'Set the facts in site.json that "Values of the repository" lists.',
  },
  {
    title: 'The address for questions',
    isMade: ({ html }, site) => html.includes(site.contactEmail),
    isCarried: ({ contactEmail }) => !isPlaceholderHost(contactEmail.split('@')[1] ?? ''),
    fix: 'Set contactEmail in site.json to an address that a person reads.',
  },
  {
    title: 'A link to the partner’s portal',
    isMade: ({ html }, site) => html.includes(site.signUpUrl),
    isCarried: ({ portalHost }) => portalHost !== null && !isPlaceholderHost(portalHost),
    fix: 'Set portalHost in site.json to the host of the portal.',
  },
  {
    title: 'A link to the privacy policy or the terms',
    isMade: ({ html }, site) => html.includes(site.privacyUrl) || html.includes(site.termsUrl),
    isCarried: ({ privacyUrl, termsUrl }) =>
      [privacyUrl, termsUrl].every(
        (url) => !isStandIn(url) && !isPlaceholderHost(new URL(url).host),
      ),
    fix: 'Set privacyUrl and termsUrl in site.json.',
  },
];

const isStandIn = (url: string): boolean => url.includes(`${CREATE_ACCOUNT_PATH}?page=`);

export interface OpenClaim {
  title: string;
  fix: string;
  /** Paths of the pages that make the claim. */
  paths: string[];
}

/** Returns the claims that some page makes and the facts do not carry. */
export function openClaims(site: SiteConfig, pages: BuiltPage[]): OpenClaim[] {
  return CLAIMS.filter((claim) => !claim.isCarried(site))
    .map(({ title, fix, isMade }) => ({
      title,
      fix,
      paths: pages.filter((page) => isMade(page, site)).map(({ path }) => path),
    }))
    .filter(({ paths }) => paths.length > 0);
}
