import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { buildDir } from './load-site.ts';

/**
 * Writes `<dist>/page-packages.json`: the folders of the packages whose code is in the page's scripts, such as
 * `node_modules/react-dom`. `npm run sbom` reads it.
 */
export function pagePackagesPlugin(): Plugin {
  return {
    name: 'page-packages',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    writeBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((output) =>
        output.type === 'chunk' ? output.moduleIds : [],
      );
      const folders = modules.flatMap((id) => packageFolder(id) ?? []);
      writeFileSync(
        join(buildDir(), 'page-packages.json'),
        JSON.stringify([...new Set(folders)].sort(), null, 2),
      );
    },
  };
}

/** @returns `node_modules/react` for a module of React; null for our own modules */
function packageFolder(moduleId: string): string | null {
  return /node_modules\/(.*node_modules\/)?(@[^/]+\/)?[^/@]+(?=\/)/.exec(moduleId)?.[0] ?? null;
}
