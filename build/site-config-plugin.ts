import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readSiteConfig } from '#site.config.ts';

const ID = 'virtual:site';
const RESOLVED = `\0${ID}`;

/**
 * Provides what site.config.ts reads to pages and browser code as plain data, so that the browser needs no zod.
 *
 * @param file which a developer may change while Vite runs
 */
export function siteConfigPlugin(file: string): Plugin {
  return {
    name: 'site-config',
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return;
      this.addWatchFile(resolve(file));
      try {
        return `export const site = ${JSON.stringify(readSiteConfig(file))};`;
      } catch (cause) {
        // The page throws it, because Vite would not watch the file any more if the plugin did.
        return `throw new Error(${JSON.stringify((cause as Error).message)});`;
      }
    },
  };
}
