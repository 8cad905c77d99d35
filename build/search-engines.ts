/** What a build tells search engines: which pages it has, or that no page is to be found. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLocal } from '#contract/is-local.ts';
import { LANGUAGES, type Language, pathIn, splitPath } from '#contract/language.ts';
import { readPages } from './read-pages.ts';

const NO_INDEX = /<meta name="robots" content="noindex"/;
/** For search engines. The API has no pages. */
const ROBOTS = `User-agent: *
Disallow: /api/
`;

/**
 * Writes robots.txt and sitemap.xml. A public site that still has values of the example gets
 * `noindex` in place of a sitemap.
 *
 * @param client the folder of the pages
 * @param examples keys and names of the example that the site still has
 */
export async function tellSearchEngines(client: string, siteUrl: string, examples: string[]) {
  if (isLocal(siteUrl) || examples.length === 0) await welcome(client, siteUrl);
  else await refuse(client, examples);
}

/**
 * Writes robots.txt, and the sitemap that it names: each page that is not `noindex`, with its
 * translations.
 */
async function welcome(client: string, siteUrl: string): Promise<void> {
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
 * Puts `noindex` into every page, because people who search must not take the example's people and
 * organizations for real ones. robots.txt forbids no page: a search engine must read a page to see
 * its `noindex`.
 */
async function refuse(client: string, examples: string[]): Promise<void> {
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
