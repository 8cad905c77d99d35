/**
 * The step of `npm run build` after prerendering:
 *
 * - moves the leaflets to `<dist>/leaflet.html` and `<dist>/es/leaflet.html`, for the command `site link`;
 * - moves the style of the landing page's sections into a file, because the first screen does not need it;
 * - shortens class names (short-class-names.ts);
 * - hashes the inline scripts and styles for the content security policy, and writes `<dist>/site.json`
 *   (contract/built-site.schema.ts);
 * - moves the pages that the server fills into `<dist>/answers`;
 * - writes .well-known/security.txt;
 * - compresses each file to .br and .gz, so that the server never compresses.
 */
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuiltSite, builtSiteSchema, type InlineHashes } from '#contract/built-site.schema.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import type { SiteConfig } from '#site.config.ts';
import { exampleKeys, openFacts } from './open-values.ts';
import { shortenClassNames } from './short-class-names.ts';

const COMPRESSIBLE = '**/*.{html,js,css,svg,json,txt,vtt}';
/** Lower bound for compression, because the extra headers would outweigh the saved bytes. */
const WORTH_COMPRESSING_BYTES = 256;
const HASH_LENGTH = 8;

/** @param dist the folder of the built site */
export async function finish(dist: string, site: SiteConfig): Promise<void> {
  const client = join(dist, 'client');
  await setLeafletAside(client, dist);
  await shortenNames(client);
  await setStyleAside(client);
  await describeSite(client, dist, site);
  await setAnswersAside(client, join(dist, 'answers'));
  await writeSecurityTxt(client, site);
  await compressFiles(client);
}

/** Moves the leaflets out of the served files first, so that their style is not in the content security policy. */
async function setLeafletAside(client: string, dist: string): Promise<void> {
  await movePage(client, '/leaflet', dist);
}

/** Moves a page that has no URL of its own out of the served files, in every language. @param to the folder */
async function movePage(client: string, page: string, to: string): Promise<void> {
  for (const language of LANGUAGES) {
    const from = join(client, pathIn(language, page));
    const file = join(to, `${pathIn(language, page)}.html`);
    await mkdir(dirname(file), { recursive: true });
    await rename(join(from, 'index.html'), file);
    await rmdir(from);
  }
}

/** Moves the style that the landing page has beside that of its first screen. */
async function setStyleAside(client: string): Promise<void> {
  for (const language of LANGUAGES) {
    const path = join(client, pathIn(language, '/index.html'));
    const html = await readFile(path, 'utf8');
    const [style = '', css = ''] = /<style data-file="page">(.*?)<\/style>/s.exec(html) ?? [];
    if (style === '') throw new Error(`${path} has no style for its sections`);
    const hash = createHash('sha256').update(css).digest('hex').slice(0, HASH_LENGTH);
    const file = `assets/static/page.${hash}.css`;
    await writeFile(join(client, file), css);
    await writeFile(
      path,
      html.replace(style, `<link rel="stylesheet" href="/${file}" fetchpriority="low">`),
    );
  }
}

async function shortenNames(client: string): Promise<void> {
  const readText = reader(client);
  const paths = (await Array.fromAsync(glob('**/*.html', { cwd: client }))).sort();
  const scripts = await Array.fromAsync(glob('assets/**/*.js', { cwd: client }));
  const short = shortenClassNames(
    await Promise.all(paths.map(readText)),
    await Promise.all(scripts.map(readText)),
  );
  await Promise.all(paths.map((path, i) => writeFile(join(client, path), short[i] ?? '')));
}

async function describeSite(client: string, dist: string, site: SiteConfig): Promise<void> {
  const readText = reader(client);
  const pages = await Promise.all(
    (await Array.fromAsync(glob('**/*.html', { cwd: client }))).map(readText),
  );
  const landingPages = await Promise.all(
    LANGUAGES.map((language) => readText(pathIn(language, '/index.html'))),
  );
  const built: BuiltSite = {
    ...site,
    inlineHashes: inlineHashes(pages),
    landingHashes: inlineHashes(landingPages),
    ipLookupOrigin: site.ipLookupUrl && new URL(site.ipLookupUrl).origin,
    partnerHosts: partnerHosts(site),
    exampleKeys: exampleKeys(site),
    openFacts: openFacts(site.facts),
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
}

/** Without a portal the links lead to our own host, as paths. */
const partnerHosts = ({ signUpUrl, privacyUrl, termsUrl }: SiteConfig): string[] => [
  ...new Set([signUpUrl, privacyUrl, termsUrl].flatMap((link) => URL.parse(link)?.hostname ?? [])),
];

/** Moves the pages that the server fills out of the served files. */
async function setAnswersAside(client: string, answers: string): Promise<void> {
  for (const page of ['/registered', '/not-registered', CREATE_ACCOUNT_PATH]) {
    await movePage(client, page, answers);
  }
}

/** How to report a weakness. RFC 9116 requires a date of expiry, and recommends less than a year. Each build sets a new one. */
async function writeSecurityTxt(client: string, { contactEmail, siteUrl }: SiteConfig) {
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

const reader = (client: string) => (file: string) => readFile(join(client, file), 'utf8');

function inlineHashes(pages: string[]): InlineHashes {
  return {
    // A script with a `src` needs no hash.
    script: hashesOf(pages, /<script>(.*?)<\/script>/gs),
    style: hashesOf(pages, /<style[^>]*>(.*?)<\/style>/gs),
  };
}

/** @returns the CSP source of each text that matches, without repetitions */
function hashesOf(pages: string[], inline: RegExp): string[] {
  const texts = pages.flatMap((page) => [...page.matchAll(inline)].map((match) => match[1] ?? ''));
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('base64'));
  return [...new Set(hashes)].map((hash) => `'sha256-${hash}'`);
}

async function compressFiles(client: string): Promise<void> {
  const jobs: Promise<void>[] = [];
  for await (const file of glob(COMPRESSIBLE, { cwd: client, exclude: ['.vite'] })) {
    jobs.push(compress(join(client, file)));
  }
  await Promise.all(jobs);
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  if (content.length < WORTH_COMPRESSING_BYTES) return;
  const brotli = promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  await writeFile(`${file}.br`, await brotli);
  await writeFile(
    `${file}.gz`,
    await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  );
}
