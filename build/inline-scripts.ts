import { build, type Plugin, type Rolldown } from 'vite';
import { OLDEST_FOR_SCRIPTS } from './oldest-browsers.ts';

const QUERY = '?script';

/**
 * For `import code from './x.ts?script'`: the text of a script for the HTML, bundled and minified
 * with all that it imports.
 */
export function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    async load(id) {
      if (!id.endsWith(QUERY)) return;
      const entry = id.slice(0, -QUERY.length);
      const [result] = (await build({
        configFile: false,
        logLevel: 'warn',
        build: {
          write: false,
          minify: true,
          target: OLDEST_FOR_SCRIPTS,
          // Not as an ES module, because Vite leaves the spaces in those.
          lib: { entry, formats: ['iife'], name: 'inline' },
        },
      })) as Rolldown.RolldownOutput[];
      const chunk = result?.output[0];
      if (!chunk) throw new Error(`${entry} bundled to nothing`);
      for (const file of chunk.moduleIds) this.addWatchFile(file);
      return `export default ${JSON.stringify(chunk.code.trim())};`;
    },
  };
}
