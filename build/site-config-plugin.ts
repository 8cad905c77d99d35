import type { Plugin } from 'vite';
import type { SiteConfig } from '#site.config.ts';

const ID = 'virtual:site';

/** Provides the validated site.config.ts to pages and browser code as plain data, so that the browser needs no zod. */
export function siteConfigPlugin({ facts, ...site }: SiteConfig): Plugin {
  // Two exports, so that scripts without the facts do not contain them.
  const code = `export const site = ${JSON.stringify(site)};\nexport const facts = ${JSON.stringify(facts)};`;
  return {
    name: 'site-config',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? code : undefined),
  };
}
