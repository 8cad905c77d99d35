/** Vitest's global setup: builds the site into dist if there is no build, as in a new clone. */
import { build, isBuilt } from './build.ts';

export default async function ensureBuild(): Promise<void> {
  const dist = process.env.DIST_DIR ?? 'dist';
  if (isBuilt(dist)) return;
  process.stdout.write(`There is no build in ${dist}: running npm run build\n`);
  await build(dist);
}
