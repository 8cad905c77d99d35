import { build, type Plugin, type Rolldown } from 'vite';
import type { SiteConfig } from '#site.config.ts';
import { OLDEST_FOR_SCRIPTS } from './oldest-browsers.ts';

const PREFIX = 'virtual:inline/';
const SOURCES: Record<string, string> = {
  capture: 'tracking/inline/capture-inline.ts',
  landing: 'pages/index/landing-inline.ts',
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
      const { code, files } = await bundle(root, source, site);
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(code)};`;
    },
  };
}

async function bundle(root: string, source: string, site: SiteConfig) {
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: {
      POSTHOG_KEY: JSON.stringify(site.posthogKey),
      API_ORIGIN: JSON.stringify(site.apiOrigin ?? ''),
    },
    build: {
      write: false,
      minify: true,
      target: OLDEST_FOR_SCRIPTS,
      lib: { entry: source, formats: ['iife'], name: 'inline' },
    },
  })) as Rolldown.RolldownOutput[];
  const chunk = result[0]?.output[0];
  if (!chunk) throw new Error(`${source} bundled to nothing`);
  return { code: chunk.code.trim(), files: chunk.moduleIds };
}
