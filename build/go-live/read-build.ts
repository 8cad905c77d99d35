/** Reads what a build has made: its settings, and its pages. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteConfig } from '#site.config.ts';
import type { BuiltPage } from './claims.ts';

/** The settings of a build, in its folder. finish.ts writes them. */
export const SETTINGS_FILE = 'settings.json';

/** @throws if there is no build in the folder */
export function readBuild(dist: string): { site: SiteConfig; pages: BuiltPage[] } {
  const settings = join(dist, SETTINGS_FILE);
  if (!existsSync(settings)) {
    throw new Error(`There is no build in ${dist}. Run npm run build first.`);
  }
  const files = globSync(['{client,answers}/**/*.html', '{,*/}leaflet.html'], { cwd: dist });
  const pages = files.map((file) => pageOf(file, readFileSync(join(dist, file), 'utf8')));
  return {
    site: JSON.parse(readFileSync(settings, 'utf8')),
    pages: pages.sort((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

const pageOf = (file: string, html: string): BuiltPage => ({
  path: `/${file.replace(/^client\//, '').replace(/index\.html$/, '')}`,
  words: wordsOf(html),
  html,
});

/** Returns the visible words of HTML, and those of its head, with one space between them. */
const wordsOf = (html: string): string =>
  html
    .replace(/<(script|style|svg)\b.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
