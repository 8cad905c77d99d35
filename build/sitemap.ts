import { LANGUAGES, pathIn, splitPath } from '#contract/language.ts';

/** Whether a page's HTML lets search engines list it. */
export const isIndexed = (html: string): boolean => !html.includes('<meta name="robots"');

/**
 * Returns sitemap.xml: each page with its address in every language.
 *
 * @param siteUrl such as `https://site.example`
 * @param pages paths, such as `/es/help/`
 */
export function makeSitemap(siteUrl: string, pages: readonly string[]): string {
  const urls = [...pages].sort().map((page) => {
    const { path } = splitPath(page);
    const alternates = LANGUAGES.map((language) => alternate(language, pathIn(language, path)));
    return `  <url>
    <loc>${siteUrl}${page}</loc>
${[...alternates, alternate('x-default', path)].join('\n')}
  </url>
`;
  });
  function alternate(hreflang: string, path: string): string {
    return `    <xhtml:link rel="alternate" hreflang="${hreflang}" href="${siteUrl}${path}"/>`;
  }
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${urls.join('')}</urlset>
`;
}
