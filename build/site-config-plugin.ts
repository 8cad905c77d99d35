import { resolve } from 'node:path';
import type { Plugin, ViteDevServer } from 'vite';
import type { SiteConfig } from '#site.config.ts';

const ID = 'virtual:site';
const RESOLVED = `\0${ID}`;

interface Source {
  /** The site's file, which a developer may change while Vite runs. */
  file: string;
  /** @throws an Error that lists every fault */
  read: () => SiteConfig;
}

/** Provides what site.config.ts reads to pages and browser code as plain data, so that the browser needs no zod. */
export function siteConfigPlugin(site: SiteConfig, source?: Source): Plugin {
  let code = codeOf(site);
  return {
    name: 'site-config',
    resolveId: (id) => (id === ID ? RESOLVED : undefined),
    load: (id) => (id === RESOLVED ? code : undefined),
    configureServer(server) {
      if (!source) return;
      const file = resolve(source.file);
      server.watcher.add(file);
      server.watcher.on('all', (event, path) => {
        if (resolve(path) !== file || event === 'unlink') return;
        try {
          code = codeOf(source.read());
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
