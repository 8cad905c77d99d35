import type { Plugin } from 'vite';
import type { SiteConfig } from '#site.config.ts';

const ID = 'virtual:site';

/** Gives page and browser code the validated site.config.ts as plain data, so that zod stays out of the browser. */
export function siteConfigPlugin(site: SiteConfig): Plugin {
  return {
    name: 'site-config',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) => (id === `\0${ID}` ? `export const site = ${JSON.stringify(site)};` : undefined),
  };
}
