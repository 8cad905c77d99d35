/**
 * The step of `npm run build` after Vike has prerendered the pages:
 *
 * - hashes the inline scripts and styles for the content security policy, and writes
 *   `<dist>/site.json` (contract/built-site.schema.ts);
 * - moves the pages that the server fills into `<dist>/answers`;
 * - writes .well-known/security.txt, robots.txt and sitemap.xml;
 * - keeps a public site with the example's values out of search engines;
 * - writes a .br and a .gz of each file, so that the server never compresses.
 */
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { type BuiltSite, builtSiteSchema, type InlineHashes } from '#contract/built-site.schema.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import type { Site } from '#site.config.ts';
import { exampleKeys, exampleNames } from './example-values.ts';
import { readPages } from './read-pages.ts';
import { tellSearchEngines } from './search-engines.ts';

const COMPRESSIBLE = '**/*.{html,js,css,svg,json,txt,vtt,xml}';
/** Smaller files are not compressed: the additional headers would be larger than the savings. */
const MIN_COMPRESSED_BYTES = 256;

/** Pages with placeholders that the server fills in. They have no URL of their own. */
const FILLED_PAGES = ['/registered', '/not-registered', CREATE_ACCOUNT_PATH];

/**
 * Completes a build. Throws if a page is missing or a file cannot be written.
 *
 * @param dist folder of the build
 * @param site the settings with which it was built
 */
export async function finish(dist: string, site: Site): Promise<void> {
  const client = join(dist, 'client');
  const built = await describeSite(client, dist, site);
  for (const page of FILLED_PAGES) await movePage(client, page, join(dist, 'answers'));
  await writeSecurityTxt(client, site);
  await tellSearchEngines(client, site.siteUrl, [...built.exampleKeys, ...built.exampleNames]);
  await compressFiles(client);
}

/**
 * Moves a page, in every language, out of the files that the server serves.
 *
 * @param page path of the page in English
 * @param target the folder into which it is moved
 */
async function movePage(client: string, page: string, target: string): Promise<void> {
  for (const language of LANGUAGES) {
    const source = join(client, pathIn(language, page));
    const file = join(target, `${pathIn(language, page)}.html`);
    await mkdir(dirname(file), { recursive: true });
    await rename(join(source, 'index.html'), file);
    await rmdir(source);
  }
}

/** Writes `<dist>/site.json`, what the server must know of the build. @returns its contents */
async function describeSite(client: string, dist: string, site: Site): Promise<BuiltSite> {
  const pages = (await readPages(client)).map(({ html }) => html);
  const built: BuiltSite = {
    ...site,
    inlineHashes: inlineHashes(pages),
    ipLookupOrigin: site.ipLookupUrl && new URL(site.ipLookupUrl).origin,
    partnerHosts: partnerHosts(site),
    exampleKeys: exampleKeys(site),
    exampleNames: exampleNames(pages),
    mail: {
      productName: site.productName,
      partnerName: site.partnerName,
      // Links in a mail must be absolute.
      signUpUrl: new URL(site.signUpUrl, site.siteUrl).href,
      contactEmail: site.contactEmail,
      privacyUrl: new URL(site.privacyUrl, site.siteUrl).href,
    },
  };
  await writeFile(join(dist, 'site.json'), JSON.stringify(builtSiteSchema.parse(built), null, 2));
  return built;
}

/**
 * Returns the hosts of the partner's links, without repetitions; none for a site without a portal.
 */
const partnerHosts = ({ signUpUrl, privacyUrl, termsUrl }: Site): string[] => [
  ...new Set([signUpUrl, privacyUrl, termsUrl].flatMap((link) => URL.parse(link)?.hostname ?? [])),
];

/**
 * Writes security.txt (RFC 9116), which says how to report a vulnerability. The file must expire,
 * within a year as the RFC recommends, so that each build sets a new date.
 */
async function writeSecurityTxt(client: string, { contactEmail, siteUrl }: Site) {
  const expires = new Date();
  expires.setUTCDate(expires.getUTCDate() + 360);
  expires.setUTCHours(0, 0, 0, 0);
  const text = `Contact: mailto:${contactEmail}
Expires: ${expires.toISOString()}
Preferred-Languages: ${LANGUAGES.join(', ')}
Canonical: ${siteUrl}/.well-known/security.txt
`;
  const folder = join(client, '.well-known');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'security.txt'), text);
}

/** Returns the CSP hashes of all inline scripts and styles. A script with a `src` needs none. */
const inlineHashes = (pages: string[]): InlineHashes => ({
  script: hashesOf(pages, /<script>(.*?)<\/script>/gs),
  style: hashesOf(pages, /<style>(.*?)<\/style>/gs),
});

/**
 * Returns the CSP source (`'sha256-…'`) of each text that the first group of the pattern matches,
 * without repetitions.
 */
function hashesOf(pages: string[], inline: RegExp): string[] {
  const texts = pages.flatMap((page) => [...page.matchAll(inline)].map((match) => match[1] ?? ''));
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

async function compressFiles(client: string): Promise<void> {
  const files = await Array.fromAsync(glob(COMPRESSIBLE, { cwd: client, exclude: ['.vite'] }));
  await Promise.all(files.map((file) => compress(join(client, file))));
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < MIN_COMPRESSED_BYTES) return;
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content));
}
