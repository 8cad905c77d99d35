/**
 * The step of `npm run build` after prerendering:
 *
 * - hashes the inline scripts and styles for the content security policy, and writes
 *   `<dist>/site.json` (contract/built-site.schema.ts);
 * - moves the pages that the server fills into `<dist>/answers`;
 * - writes .well-known/security.txt, robots.txt and sitemap.xml;
 * - keeps a public site with the example's values out of search engines;
 * - compresses each file to .br and .gz, so that the server never compresses.
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
/** Lower bound for compression, because the extra headers would outweigh the saved bytes. */
const WORTH_COMPRESSING_BYTES = 256;

/** Pages that the server fills, so they have no URL of their own. */
const ANSWERS = ['/registered', '/not-registered', CREATE_ACCOUNT_PATH];

/** @param dist the folder of the built site */
export async function finish(dist: string, site: Site): Promise<void> {
  const client = join(dist, 'client');
  const built = await describeSite(client, dist, site);
  for (const page of ANSWERS) await movePage(client, page, join(dist, 'answers'));
  await writeSecurityTxt(client, site);
  await tellSearchEngines(client, site.siteUrl, [...built.exampleKeys, ...built.exampleNames]);
  await compressFiles(client);
}

/** Moves a page out of the served files, in every language. @param to the folder */
async function movePage(client: string, page: string, to: string): Promise<void> {
  for (const language of LANGUAGES) {
    const from = join(client, pathIn(language, page));
    const file = join(to, `${pathIn(language, page)}.html`);
    await mkdir(dirname(file), { recursive: true });
    await rename(join(from, 'index.html'), file);
    await rmdir(from);
  }
}

/** @returns what it has written to `<dist>/site.json` */
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
      // Absolute, because a mail has no page.
      signUpUrl: new URL(site.signUpUrl, site.siteUrl).href,
      contactEmail: site.contactEmail,
      privacyUrl: new URL(site.privacyUrl, site.siteUrl).href,
    },
  };
  await writeFile(join(dist, 'site.json'), JSON.stringify(builtSiteSchema.parse(built), null, 2));
  return built;
}

/** Without a portal the links lead to our own host, as paths. */
const partnerHosts = ({ signUpUrl, privacyUrl, termsUrl }: Site): string[] => [
  ...new Set([signUpUrl, privacyUrl, termsUrl].flatMap((link) => URL.parse(link)?.hostname ?? [])),
];

/**
 * How to report a weakness. RFC 9116 requires a date of expiry, and recommends less than a year.
 * Each build sets a new one.
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

/** A script with a `src` needs no hash. */
const inlineHashes = (pages: string[]): InlineHashes => ({
  script: hashesOf(pages, /<script>(.*?)<\/script>/gs),
  style: hashesOf(pages, /<style>(.*?)<\/style>/gs),
});

/** @returns the CSP source of each text that matches, without repetitions */
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
  if (content.length < WORTH_COMPRESSING_BYTES) return;
  await writeFile(`${file}.br`, await promisify(brotliCompress)(content));
  await writeFile(`${file}.gz`, await promisify(gzip)(content));
}
