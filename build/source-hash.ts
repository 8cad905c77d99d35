import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All that a build reads: tests/import-rules.test.ts lists what these folders import. */
const SOURCES = [
  '{build,browser,components,contract,pages,public,renderer,words}/**/*.*',
  '{site,vite}.config.ts',
  '{package,package-lock,tsconfig}.json',
];
/** Vike writes them next to its configuration files while a build runs. */
const TEMPORARY = '**/*.build-*.mjs';

/** The name of the file in a build's folder that has the hash of its sources. */
const HASH_FILE = 'sources.sha256';
export const hashFileOf = (dist: string): string => join(dist, HASH_FILE);

/**
 * Returns one hash of the names and contents of all files that a build reads. Tests compare it with
 * the hash in a build's folder, so that no test measures a build of older files.
 *
 * @param siteFile the site.json of the build
 * @param root the folder of the project
 */
export function hashSources(siteFile: string, root = '.'): string {
  const hash = createHash('sha256');
  const add = (name: string, content: Buffer) =>
    hash.update(`${name}\n${content.length}\n`).update(content);
  add('site.json', readFileSync(siteFile));
  for (const file of globSync(SOURCES, { cwd: root, exclude: [TEMPORARY] }).sort())
    add(file, readFileSync(join(root, file)));
  return hash.digest('hex');
}
