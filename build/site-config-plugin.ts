import { resolve } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import { readSiteConfig, type SiteConfig } from '#site.config.ts';

const ID = 'virtual:site';
const RESOLVED = `\0${ID}`;

/**
 * Provides what site.config.ts reads to pages and browser code as plain data, so that the browser needs no zod.
 *
 * @param file which a developer may change while Vite runs
 */
export function siteConfigPlugin(site: SiteConfig, file: string): Plugin {
  let code = codeOf(site);
  return {
    name: 'site-config',
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? code : undefined),
    configureServer(server) {
      const path = resolve(file);
      server.watcher.add(path);
      server.watcher.on('all', (event, changed) => {
        if (resolve(changed) !== path || event === 'unlink') return;
        try {
          code = codeOf(readSiteConfig(file));
          reloadPages(server);
        } catch (cause) {
          const { message } = cause as Error;
          server.config.logger.error(message);
          server.ws.send({ type: 'error', err: { message, stack: '', plugin: 'site-config' } });
        }
      });
    },
  };
}

/** Two exports, so that scripts without the facts do not contain them. */
const codeOf = ({ facts, ...site }: SiteConfig): string =>
  `export const site = ${JSON.stringify(site)};\nexport const facts = ${JSON.stringify(facts)};`;

/** Almost every module has words with a value of the site in them. */
function reloadPages(server: ViteDevServer): void {
  for (const { moduleGraph, hot } of Object.values(server.environments)) {
    moduleGraph.invalidateAll();
    hot.send({ type: 'full-reload' });
  }
}
