import { build, type Plugin, type Rolldown } from 'vite';

const ID = 'virtual:capture-inline';
const SOURCE = 'tracking/capture-inline.ts';

/**
 * Bundles and minifies the inline click stub into one string, for the page's head.
 *
 * It goes through Vite like everything else, so that the stub can share the contract's plain data
 * with the rest of the pipeline and still stand in the HTML as a single script without imports.
 */
export function captureInlinePlugin(): Plugin {
  let root = '';
  return {
    name: 'capture-inline',
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    async load(id) {
      if (id !== `\0${ID}`) return;
      const { code, files } = await bundle(root);
      for (const file of files) this.addWatchFile(file);
      return `export default ${JSON.stringify(code)};`;
    },
  };
}

async function bundle(root: string): Promise<{ code: string; files: string[] }> {
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      minify: true,
      target: 'es2020',
      lib: { entry: SOURCE, formats: ['iife'], name: 'capture' },
    },
  })) as Rolldown.RolldownOutput[];
  const chunk = result[0]?.output[0];
  if (!chunk) throw new Error(`${SOURCE} bundled to nothing`);
  return { code: chunk.code.trim(), files: chunk.moduleIds };
}
