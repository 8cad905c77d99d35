/** Writes variants of the project's site.json for tests. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = 'node_modules/.cache/site-files';

/** Settings that a site with a portal needs besides `portalHost`. */
export const PARTNER_LINKS = {
  privacyUrl: 'https://portal.example/privacy',
  termsUrl: 'https://portal.example/terms',
};

/**
 * Writes a copy of the project's site.json with some values changed. Equal contents give the same
 * path, so that several processes share the file.
 *
 * @returns its path, for a build or for `readSiteConfig`
 */
export function siteFile(changes: Record<string, unknown>): string {
  const original = JSON.parse(readFileSync('site.json', 'utf8'));
  return writeSiteFile(JSON.stringify({ ...original, ...changes }, null, 2));
}

/** Writes any text as a site.json. @returns its path */
export function writeSiteFile(text: string): string {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = resolve(FOLDER, `${name}.json`);
  mkdirSync(FOLDER, { recursive: true });
  // The file is renamed into its place, because other processes may read it at the same time.
  const part = join(FOLDER, `${name}.${process.pid}`);
  writeFileSync(part, text);
  renameSync(part, file);
  return file;
}
