import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readSiteConfig } from '#site.config.ts';

const ID = 'virtual:site';
const RESOLVED = `\0${ID}`;

/** How often a tab with a fault of the settings asks again, in seconds. */
const RELOAD_S = 1;

/**
 * Provides what site.config.ts reads to pages and browser code as plain data, so that the browser
 * needs no zod.
 *
 * @param file which a developer may change while Vite runs
 */
export function siteConfigPlugin(file: string): Plugin {
  return {
    name: 'site-config',
    /**
     * Shows the faults of the settings in the tab. No page can, because each page, also that for
     * errors, reads the settings.
     */
    configureServer({ middlewares, config }) {
      middlewares.use((request, answer, next) => {
        if (!request.headers.accept?.includes('text/html')) return next();
        try {
          readSiteConfig(file);
          next();
        } catch (cause) {
          const { message } = cause as Error;
          config.logger.warnOnce(message);
          const headers = {
            'content-type': 'text/plain; charset=utf-8',
            refresh: String(RELOAD_S),
          };
          answer.writeHead(500, headers).end(message);
        }
      });
    },
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
