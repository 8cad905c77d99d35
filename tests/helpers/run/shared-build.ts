/** Builds of tests/e2e/build-sites.ts for the unit tests. */
import { join } from 'node:path/posix';
import { BUILDS, type BuildName } from '../../e2e/build-sites.ts';
import { build } from './build.ts';

/**
 * Builds a site, or waits for the browser tests' build in `E2E_BUILDS`.
 *
 * @param folder for the caller alone, so that no other test file builds into it while this one reads
 * @returns the folder of the build
 */
export async function sharedBuild(name: BuildName, folder: string): Promise<string> {
  const reuse = process.env.E2E_BUILDS;
  const dist = join(reuse ?? `node_modules/.cache/${folder}`, name);
  await build(dist, BUILDS[name], { reuse: Boolean(reuse) });
  return dist;
}
