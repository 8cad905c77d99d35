import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BuiltSite } from '#contract/built-site.schema.ts';

/**
 * Makes a folder with links to a build's files and with other settings in its site.json. A test
 * needs it for settings that it knows only after the build, such as the port of its fake PostHog.
 * The folder is removed when the process ends.
 *
 * @param dist folder of the build
 * @returns the new folder
 */
export function withSettings(dist: string, changes: Partial<BuiltSite>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dist-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['client', 'answers']) symlinkSync(resolve(dist, name), join(folder, name));
  const site = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8'));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ ...site, ...changes }));
  return folder;
}
