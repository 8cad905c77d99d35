import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import type { SiteConfig } from '#site.config.ts';
import { bundleScript } from './bundle-script.ts';

const ID = 'virtual:help-module';
const SOURCE = 'pages/help/help-module.ts';

/**
 * Provides the URL of the help pages' module, which all of them share.
 *
 * The module is a bundle of its own. As a `+client.ts` it would share code with the landing page's, and the bundler would move
 * that code to a chunk, so that the landing page's first script would need a second round of requests.
 */
export function helpModulePlugin(site: SiteConfig): Plugin {
  let root = '';
  let isBuild = false;
  let bundled: ReturnType<typeof bundleScript> | undefined;
  const bundle = () => {
    bundled ??= bundleScript(root, SOURCE, site);
    return bundled;
  };
  return {
    name: 'help-module',
    sharedDuringBuild: true,
    configResolved: (config) => {
      root = config.root;
      isBuild = config.command === 'build';
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return;
      const url = isBuild ? `/${fileName((await bundle()).code)}` : `/${SOURCE}`;
      return `export default ${JSON.stringify(url)};`;
    },
    async generateBundle() {
      if (this.environment.name !== 'client') return;
      const { code } = await bundle();
      this.emitFile({ type: 'asset', fileName: fileName(code), source: code });
    },
  };
}

const fileName = (code: string): string =>
  `assets/entries/help.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
