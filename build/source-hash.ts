import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Patterns of all files that a build reads. (tests/import-rules.test.ts limits what these import.)
 */
const SOURCES = [
  '{build,browser,components,contract,pages,public,renderer,words}/**/*.*',
  '{site,vite}.config.ts',
  '{package,package-lock,tsconfig}.json',
];
/**
 * Pattern of the temporary files that Vike writes beside its configuration files during a build.
 */
const TEMPORARY = '**/*.build-*.mjs';

/** Name of the file, in a build's folder, with the hash of the files from which it was built. */
const HASH_FILE = 'sources.sha256';
export const hashFileOf = (dist: string): string => join(dist, HASH_FILE);

/**
 * Returns a SHA-256 hash, in hex, of the names and contents of all files that a build reads. Tests
 * compare it with the hash in a build's folder, so that no test measures a stale build.
 *
 * @param siteFile path of the site.json of the build
 * @param root folder of the project
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
