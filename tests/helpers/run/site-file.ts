/** Writes variants of the project's site.json for tests. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = 'node_modules/.cache/site-files';

/** The partner's links, which site.json does not have until there is a portal. */
export const PARTNER_LINKS = {
  privacyUrl: 'https://portal.example/privacy',
  termsUrl: 'https://portal.example/terms',
};

/**
 * Writes the project's site.json with some values changed. The same changes give the same file, so
 * that a test can name it before it builds.
 *
 * @returns the path, for a build or for `readSiteConfig`
 */
export function siteFile(changes: Record<string, unknown>): string {
  const given = JSON.parse(readFileSync('site.json', 'utf8'));
  return writeSiteFile(JSON.stringify({ ...given, ...changes }, null, 2));
}

/** Writes any text in the place of site.json. */
export function writeSiteFile(text: string): string {
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = resolve(FOLDER, `${name}.json`);
  mkdirSync(FOLDER, { recursive: true });
  // Several processes may write the same file while others read it.
  const part = join(FOLDER, `${name}.${process.pid}`);
  writeFileSync(part, text);
  renameSync(part, file);
  return file;
}
