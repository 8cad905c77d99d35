import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { BuiltSite } from '#contract/built-site.schema.ts';

/**
 * Returns a folder with a build's files, and with other settings for the server. A test knows its
 * PostHog's port only after the build. The folder is removed when the process ends.
 */
export function withSettings(dist: string, changes: Partial<BuiltSite>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dist-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const name of ['client', 'answers']) symlinkSync(resolve(dist, name), join(folder, name));
  const site = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8'));
  writeFileSync(join(folder, 'site.json'), JSON.stringify({ ...site, ...changes }));
  return folder;
}
