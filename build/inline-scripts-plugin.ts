import type { Plugin } from 'vite';
import type { SiteConfig } from '#site.config.ts';
import { bundleScript } from './bundle-script.ts';

const PREFIX = 'virtual:inline/';
const SOURCES: Record<string, string> = {
  capture: 'browser/inline/capture-inline.ts',
  'site-links': 'browser/inline/site-links-inline.ts',
  visit: 'pages/visit-inline.ts',
};

/**
 * Bundles and minifies each inline script into one string.
 *
 * Vite bundles the scripts, so that they can import shared plain data and still be inline in the HTML.
 */
export function inlineScriptsPlugin(site: SiteConfig): Plugin {
  let root = '';
  return {
    name: 'inline-scripts',
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return;
      const source = SOURCES[id.slice(PREFIX.length + 1)];
      if (!source) throw new Error(`${id.slice(1)} is not known in build/inline-scripts-plugin.ts`);
      const { code, files } = await bundleScript(root, source, site);
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(code)};`;
    },
  };
}
