/** What search engines and chats learn of each page, in the last build. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { site } from 'virtual:site';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, pathIn, splitPath } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help.ts';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
const read = (file: string) => readFileSync(join(CLIENT, file), 'utf8');
const INDEXED = LANGUAGES.flatMap((language) =>
  ['/', ...Object.values(HELP_PATHS)].map((path) => pathIn(language, path)),
);
const attributes = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, ...values]) => values);

describe.each(INDEXED)('%s', (page) => {
  const html = read(`${page}index.html`);
  const { language, path } = splitPath(page);

  test('names its address, and the same page in every language', () => {
    const url = site.siteUrl + page;
    expect(attributes(html, /rel="canonical" href="([^"]*)"/g)).toEqual([[url]]);
    expect(attributes(html, /property="og:url" content="([^"]*)"/g)).toEqual([[url]]);
    expect(attributes(html, /rel="alternate" hreflang="([^"]*)" href="([^"]*)"/gi)).toEqual([
      ...LANGUAGES.map((other) => [other, site.siteUrl + pathIn(other, path)]),
      ['x-default', site.siteUrl + path],
    ]);
    expect(html).not.toContain('noindex');
  });

  test('has a description, and a share card in its language without the illness', () => {
    const [[description] = []] = attributes(html, /name="description" content="([^"]*)"/g);
    expect(description?.length).toBeGreaterThan(20);
    const card = attributes(html, /<meta property="og:[^"]*" content="([^"]*)"/g).flat();
    // Help pages leave out the image's width and height.
    expect(card).toHaveLength(path === '/' ? 9 : 7);
    expect(card.join(' ')).not.toMatch(/\bsma\b|\bame\b|spinal|espinal|atro|patient|paciente/i);
    expect(card).toContain(`${language}_US`);
    const [[image = ''] = []] = attributes(html, /property="og:image" content="([^"]*)"/g);
    expect(existsSync(join(CLIENT, new URL(image).pathname))).toBe(true);
    expect(image.includes(`-${language}.`)).toBe(language !== 'en');
  });
});

test('each page has a title of its own', () => {
  const titles = INDEXED.map(
    (page) => /<title>(.*?)<\/title>/.exec(read(`${page}index.html`))?.[1],
  );
  expect(new Set(titles).size).toBe(INDEXED.length);
});

test('search engines leave out the 404 pages', () => {
  for (const language of LANGUAGES)
    expect(read(pathIn(language, '/404.html'))).toContain('<meta name="robots" content="noindex"');
});

test('the sitemap has exactly the indexed pages, each with all languages', () => {
  const sitemap = read('sitemap.xml');
  const pages = globSync('**/index.html', { cwd: CLIENT });
  expect(pages).toHaveLength(INDEXED.length);
  const locations = attributes(sitemap, /<loc>(.*?)<\/loc>/g).flat();
  expect(locations.sort()).toEqual(INDEXED.map((page) => site.siteUrl + page).sort());
  const alternates = attributes(sitemap, /hreflang="([^"]*)" href="([^"]*)"/g);
  expect(alternates).toHaveLength(INDEXED.length * (LANGUAGES.length + 1));
  expect(alternates).toContainEqual(['es', `${site.siteUrl}/es/help/privacy/`]);
});

test('the data for search engines names the language', () => {
  for (const language of LANGUAGES) {
    const html = read(`${pathIn(language, '/')}index.html`);
    const [[json = ''] = []] = attributes(html, /<script type="application\/ld\+json">(.*?)</g);
    expect(JSON.parse(json)).toMatchObject({
      inLanguage: language,
      url: site.siteUrl + pathIn(language, '/'),
    });
  }
});
