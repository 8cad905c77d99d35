import { build, type Plugin, type Rolldown } from 'vite';
import { OLDEST_FOR_SCRIPTS } from './oldest-browsers.ts';

const QUERY = '?script';

/**
 * A Vite plugin for `import code from './x.ts?script'`: the import gives the code of an inline
 * script as a text, bundled with all its imports and minified.
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
          // The format is IIFE, because Vite does not remove the white space of ES modules.
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
