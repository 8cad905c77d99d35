/** Writes what search engines read: robots.txt, and sitemap.xml or `noindex` in every page. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocal } from '#contract/is-local.ts';
import { LANGUAGES, type Language, pathIn, splitPath } from '#contract/language.ts';
import { readPages } from './read-pages.ts';

const NO_INDEX = /<meta name="robots" content="noindex"/;
/** The text of robots.txt. Search engines skip the API, which has no pages. */
const ROBOTS = `User-agent: *
Disallow: /api/
`;

/**
 * Writes robots.txt and sitemap.xml. If a public site still has values of the example, every page
 * gets `noindex`, and there is no sitemap.
 *
 * @param client the folder of the pages
 * @param examples keys and names of the example that the site still has
 */
export async function tellSearchEngines(client: string, siteUrl: string, examples: string[]) {
  if (isLocal(siteUrl) || examples.length === 0) await allowIndexing(client, siteUrl);
  else await forbidIndexing(client, examples);
}

/**
 * Writes robots.txt, and a sitemap of all pages without `noindex`, each with the addresses of its
 * translations.
 */
async function allowIndexing(client: string, siteUrl: string): Promise<void> {
  const pages = (await readPages(client)).filter(({ html }) => !NO_INDEX.test(html));
  const urls = pages.map(({ file }) => sitemapEntry(siteUrl, `/${file.replace('index.html', '')}`));
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('\n')}
</urlset>
`;
  await writeFile(join(client, 'sitemap.xml'), sitemap);
  await writeFile(join(client, 'robots.txt'), `${ROBOTS}\nSitemap: ${siteUrl}/sitemap.xml\n`);
}

function sitemapEntry(siteUrl: string, page: string): string {
  const { path } = splitPath(page);
  const alternate = (hreflang: string, language: Language) =>
    `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${siteUrl}${pathIn(language, path)}"/>`;
  const alternates = LANGUAGES.map((language) => alternate(language, language));
  return `<url><loc>${siteUrl}${page}</loc>${alternates.join('')}${alternate('x-default', 'en')}</url>`;
}

/**
 * Adds `noindex` to every page, because the example's people and organizations do not exist, and
 * must not be found as if they did. robots.txt forbids no page: a search engine must read a page to
 * see its `noindex`.
 */
async function forbidIndexing(client: string, examples: string[]): Promise<void> {
  for (const { file, html } of await readPages(client))
    if (!NO_INDEX.test(html))
      await writeFile(
        join(client, file),
        html.replace('</title>', '</title><meta name="robots" content="noindex"/>'),
      );
  await writeFile(join(client, 'robots.txt'), ROBOTS);
  process.stdout.write(
    `Every page is noindex, because the site still has the example's ${examples.join(', ')}.\n`,
  );
}
