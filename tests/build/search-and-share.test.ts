/** The words and addresses that search engines and chats learn of each page, in the last build. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { site } from 'virtual:site';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LANGUAGES, pathIn, splitPath } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help.ts';
import { tellSearchEngines } from '../../build/search-engines.ts';
import { build } from '../helpers/run/build.ts';
import { siteFile } from '../helpers/run/site-file.ts';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
const read = (file: string, client = CLIENT) => readFileSync(join(client, file), 'utf8');
const INDEXED = LANGUAGES.flatMap((language) =>
  ['/', ...Object.values(HELP_PATHS)].map((path) => pathIn(language, path)),
);
/** A chat shows the card to people who need not know. */
const ILLNESS = /\bsma\b|\bame\b|spinal|espinal|atro|patient|paciente/i;
/** A person who searches writes it out. */
const NAME = { en: /spinal muscular atrophy \(SMA\)/i, es: /atrofia muscular espinal \(AME\)/i };
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

  test('has a description that names the illness once, and a share card in its language without it', () => {
    const [[description] = []] = attributes(html, /name="description" content="([^"]*)"/g);
    expect(description?.match(new RegExp(NAME[language], 'gi'))).toHaveLength(1);
    const card = attributes(html, /<meta property="og:[^"]*" content="([^"]*)"/g).flat();
    expect(card).toHaveLength(7);
    expect(card.join(' ')).not.toMatch(ILLNESS);
    const [[title] = []] = attributes(html, /<title>(.*?)<\/title>/g);
    if (path === '/') expect(title).toMatch(/^spinal muscular atrophy|^atrofia muscular espinal/i);
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

/** The pages of each address in a sitemap, by language, and what robots.txt says of the sitemap. */
function searched(client: string) {
  const entries = read('sitemap.xml', client).split('<url>').slice(1);
  return {
    pages: entries.map((entry) => [
      attributes(entry, /<loc>([^<]*)<\/loc>/g)[0]?.[0],
      attributes(entry, /rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g),
    ]),
    robots: read('robots.txt', client).trim().split('\n'),
  };
}

const sitemapOf = (siteUrl: string) =>
  INDEXED.toSorted().map((page) => {
    const { path } = splitPath(page);
    const alternates = LANGUAGES.map((language) => [language, siteUrl + pathIn(language, path)]);
    return [siteUrl + page, [...alternates, ['x-default', siteUrl + path]]];
  });

test('the sitemap has each page with its translations, and robots.txt names it', () => {
  const { pages, robots } = searched(CLIENT);
  expect(pages.toSorted()).toEqual(sitemapOf(site.siteUrl));
  expect(robots).toContain(`Sitemap: ${site.siteUrl}/sitemap.xml`);
  expect(robots).toContain('Disallow: /api/');
});

test('a public site with the example’s names is left out by search engines, whole', async () => {
  const dist = 'node_modules/.cache/sites/public-example';
  await build(dist, siteFile({ siteUrl: 'https://smadrive.example' }));
  const client = join(dist, 'client');
  for (const page of INDEXED)
    expect(read(`${page}index.html`, client)).toContain('<meta name="robots" content="noindex"');
  expect(existsSync(join(client, 'sitemap.xml'))).toBe(false);
  expect(read('robots.txt', client)).not.toContain('Sitemap');
});

/** A copy of the built pages, to which the build tells again what search engines read. */
async function toldFor(siteUrl: string, examples: string[]): Promise<string> {
  const client = mkdtempSync(join(tmpdir(), 'client-'));
  onTestFinished(() => rmSync(client, { recursive: true }));
  cpSync(CLIENT, client, { recursive: true });
  await tellSearchEngines(client, siteUrl, examples);
  return client;
}

test('a public site without the example’s names is found', async () => {
  const client = await toldFor('https://smadrive.example', []);
  expect(searched(client).pages.toSorted()).toEqual(sitemapOf('https://smadrive.example'));
  for (const page of INDEXED) expect(read(`${page}index.html`, client)).not.toContain('noindex');
});

test.each([
  ['http://site.localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:3000', true],
  ['https://localhost.smadrive.example', false],
  ['https://127.0.0.1.smadrive.example', false],
])('the example at %s may be found: %s', async (siteUrl, isFound) => {
  const client = await toldFor(siteUrl, ['operator']);
  for (const page of INDEXED)
    expect(!read(`${page}index.html`, client).includes('noindex')).toBe(isFound);
  expect(read('robots.txt', client).includes('Sitemap')).toBe(isFound);
});

test('/favicon.ico is an icon of three sizes, for programs that read no page', () => {
  const icon = readFileSync(join(CLIENT, 'favicon.ico'));
  expect([...icon.subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
  expect([6, 22, 38].map((at) => icon[at])).toEqual([16, 32, 48]);
});

test('security.txt names the address to write to, and ends within a year', () => {
  const text = read('.well-known/security.txt');
  expect(text).toContain(`Contact: mailto:${site.contactEmail}`);
  const [, expires = ''] = /Expires: (\S+)/.exec(text) ?? [];
  expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeLessThan(366);
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
});
