import { build, type Rolldown } from 'vite';
import type { SiteConfig } from '#site.config.ts';
import { OLDEST_FOR_SCRIPTS } from './oldest-browsers.ts';

/** The site's facts that scripts read as globals, so that they do not contain the whole site.config.ts. */
export const scriptGlobals = (site: SiteConfig): Record<string, string> => ({
  POSTHOG_KEY: JSON.stringify(site.posthogKey),
});

/**
 * Bundles and minifies a script with everything that it imports, apart from Vite's own chunks. Not as an ES module, because Vite
 * leaves the spaces in those.
 *
 * @returns the code, and the files that it was made from
 */
export async function bundleScript(
  root: string,
  source: string,
  site: SiteConfig,
): Promise<{ code: string; files: string[] }> {
  const result = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    define: scriptGlobals(site),
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
