import { resolve } from 'node:path';
import type { Plugin } from 'vite';
import { readSiteConfig } from '#site.config.ts';

const ID = 'virtual:site';
const RESOLVED = `\0${ID}`;

/** In development, a tab that shows faults of the settings reloads after this time. */
const RELOAD_S = 1;

/**
 * A Vite plugin that provides the module `virtual:site`. It exports `site`: the settings, read and
 * checked by site.config.ts during the build, as plain data. So the browser needs no zod.
 *
 * @param file path of site.json. In development, a change of it reloads the page
 */
export function siteConfigPlugin(file: string): Plugin {
  return {
    name: 'site-config',
    /**
     * In development, answers with the faults of the settings instead of a page. Every page imports
     * the settings, also the one for errors, so that no page could show the faults.
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
        // The module throws the error in the page. If the plugin threw it here, Vite would stop
        // watching the file.
        return `throw new Error(${JSON.stringify((cause as Error).message)});`;
      }
    },
  };
}
