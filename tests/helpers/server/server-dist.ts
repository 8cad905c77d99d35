/** Makes small builds in the form of dist/, for tests of the server. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { writeDist } from './write-dist.ts';

/** Makes a build. @returns its folder, which is removed at the end of the test */
export function makeDist(site: Partial<BuiltSite> = {}): string {
  const dist = mkdtempSync(join(tmpdir(), 'dist-'));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  writeDist(dist, site);
  return dist;
}

/** Makes a build with the registration form and the pages that answer it without script. */
export function makeFormDist(site: Partial<BuiltSite> = {}): string {
  const dist = makeDist({ ...site, registerForm: true });
  for (const language of LANGUAGES) {
    const folder = join(dist, 'answers', pathIn(language, '/'));
    mkdirSync(folder, { recursive: true });
    const html = (body: string) => `<!doctype html><html lang="${language}">${body}`;
    writeFileSync(join(folder, 'registered.html'), html('<h1>Welcome</h1>'));
    writeFileSync(join(folder, 'not-registered.html'), html('<li>{{messages}}</li>'));
  }
  return dist;
}
