/**
 * `npm run build`: builds the site with the settings of site.json into dist. Tests build with other
 * settings and into other folders of the project: `--site FILE --out FOLDER`.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from 'vike/api';
import { readSiteConfig, SITE_FILE } from '#site.config.ts';
import { finish } from './finish.ts';
import { hashFileOf, hashSources } from './source-hash.ts';

const { values } = parseArgs({
  options: {
    site: { type: 'string', default: SITE_FILE },
    out: { type: 'string', default: 'dist' },
  },
});

try {
  const site = readSiteConfig(values.site);
  // The hash is computed before the build, so that a file that changes during the build makes the
  // build stale. The hash file is missing while the folder is incomplete.
  const sourceHash = hashSources(values.site);
  rmSync(hashFileOf(values.out), { force: true });
  Object.assign(process.env, { BUILT_SITE_FILE: values.site, BUILT_SITE_DIR: values.out });
  await build();
  await finish(values.out, site);
  writeFileSync(hashFileOf(values.out), sourceHash);
} catch (cause) {
  const { message, stack } = cause as Error;
  process.stderr.write(`${stack ?? message}\n`);
  process.exitCode = 1;
}
