/** The claims of the pages that need a fact. Looks for them in the built pages, whichever file their words come from. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Claim {
  /** After "The pages say that". */
  claim: string;
  words: RegExp;
  /** The facts that carry it. */
  needs: string[];
}

const CLAIMS: Claim[] = [
  {
    claim: 'the initiative is nationwide',
    words: /\b(?:nationwide|iniciativa nacional)\b/i,
    needs: ['facts.country'],
  },
  {
    claim: 'the service is compliant',
    words: /\b(?:compliant|conforme a la ley)\b/i,
    needs: ['facts.law', 'facts.lawConfirmedBy'],
  },
  {
    claim: 'joining is free',
    words: /\b(?:(?:joining|it) is free|(?:participar|unirse) es gratis|cuenta\. Es gratis)\b/i,
    needs: ['facts.cost'],
  },
  {
    claim: 'life with cystic fibrosis lasts "over 65 years"',
    words: /\b(?:over 65 years|más de 65 años)\b/i,
    needs: ['facts.forecastSource', 'facts.forecastUrl'],
  },
];
const SHOWN_PAGES = 3;

/**
 * @param dist folder of the build
 * @param openFacts keys of the facts that are not set
 * @returns a sentence for each claim that some page makes and no fact carries
 */
export function findClaims(dist: string, openFacts: string[]): string[] {
  const open = CLAIMS.filter(({ needs }) => needs.some((fact) => openFacts.includes(fact)));
  if (open.length === 0) return [];
  const pages = globSync('{client,answers}/**/*.html', { cwd: dist }).map((file) => ({
    path: file.replace(/^client/, '').replace(/index\.html$/, ''),
    words: wordsOf(readFileSync(join(dist, file), 'utf8')),
  }));
  return open.flatMap(({ claim, words, needs }) => {
    const made = pages.filter((page) => words.test(page.words));
    const paths = made.map(({ path }) => path).sort();
    if (paths.length === 0) return [];
    const more = paths.length > SHOWN_PAGES ? ` and ${paths.length - SHOWN_PAGES} more` : '';
    return `The pages say that ${claim} (${paths.slice(0, SHOWN_PAGES).join(', ')}${more}). Set ${needs.join(' and ')} in site.json, or change the words.`;
  });
}

/** The visible words, and those of the head, with one space between them. */
function wordsOf(html: string): string {
  const shown = ['script', 'style', 'svg'].reduce(withoutElements, html);
  const texts = shown.split('<').map((part) => part.slice(part.indexOf('>') + 1));
  return texts.join(' ').replace(/\s+/g, ' ');
}

const withoutElements = (html: string, name: string): string =>
  html
    .split(`<${name}`)
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf(`</${name}>`))))
    .join('');
