/** The text that `npm run golive` prints. */
import type { SiteConfig } from '#site.config.ts';
import { type BuiltPage, type OpenClaim, openClaims } from './claims.ts';
import { halfSetLaw, openFacts, openTranslations } from './open-facts.ts';
import { placeholders } from './placeholders.ts';
import { LAWS, lookUpWarning, operatorsPromises, promises } from './to-confirm.ts';

export interface GoLive {
  /** For a terminal of 100 columns or more. */
  text: string;
  isReady: boolean;
}

/** @param pages every page that visitors can open */
export function goLive(site: SiteConfig, pages: BuiltPage[]): GoLive {
  const claims = openClaims(site, pages);
  const facts = openFacts(site.facts);
  const lookUp = lookUpWarning(site);
  const halfLaw = halfSetLaw(site.facts);
  const parts = [
    'What is missing before this site goes live. This is not legal advice: ask a lawyer.',
    list('Claims without a fact', claims.map(claimText)),
    list('Values of the repository', placeholders(site)),
    list(
      'Facts that are not set; the pages leave them out',
      facts.map(({ fact, tells, because }) => `facts.${fact}: ${tells}.\n    Why: ${because}.`),
    ),
    list('Facts that lack a translation', openTranslations(site.facts)),
    list('Facts that are set in part', halfLaw ? [halfLaw] : []),
    list('Another company', lookUp ? [lookUp] : []),
    list('Promises that the partner must confirm', promises(site)),
    list('Promises that the operator must keep', operatorsPromises(pages)),
    list('Laws of the US to go through with a lawyer', LAWS),
    verdict(claims.length),
  ];
  return { text: `${parts.filter(Boolean).join('\n\n')}\n`, isReady: claims.length === 0 };
}

const list = (title: string, items: string[]): string =>
  items.length > 0
    ? `${title} (${items.length})\n${items.map((item) => `  - ${item}`).join('\n')}`
    : '';

const claimText = ({ title, fix, paths }: OpenClaim): string =>
  `${title}. ${fix}\n    On ${shortened(paths)}`;

const SHOWN = 4;

const shortened = (paths: string[]): string =>
  paths.length > SHOWN
    ? `${paths.slice(0, SHOWN).join(', ')} and ${paths.length - SHOWN} more pages`
    : paths.join(', ');

const verdict = (claims: number): string =>
  claims > 0
    ? `NOT READY: ${claims} ${claims === 1 ? 'claim has' : 'claims have'} no fact behind ${claims === 1 ? 'it' : 'them'}.`
    : 'No page makes a claim without a fact.';
