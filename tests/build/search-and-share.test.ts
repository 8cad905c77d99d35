/** The words and addresses that search engines and chats learn of each page, in the last build. */
import { existsSync, readFileSync } from 'node:fs';
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

test('security.txt names the address to write to, and ends within a year', () => {
  const text = read('.well-known/security.txt');
  expect(text).toContain(`Contact: mailto:${site.contactEmail}`);
  const [, expires = ''] = /Expires: (\S+)/.exec(text) ?? [];
  expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeLessThan(366);
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
});
