/**
 * The step after prerendering:
 *
 * - moves the leaflets to `<dist>/leaflet.html` and `<dist>/es/leaflet.html`, for `clicks link`;
 * - moves the pages' modules into templates, so that they load after the first paint;
 * - moves the style for browsers without script into a file, because few visitors need it in the first round trip;
 * - shortens class names (short-class-names.ts), and leaves out characters without a meaning (minify-html.ts);
 * - hashes the inline scripts and styles for the content security policy, and writes `<dist>/site.json`
 *   (contract/built-site.schema.ts), and `<dist>/settings.json` for `npm run golive`;
 * - moves the answers to forms into `<dist>/answers`;
 * - writes sitemap.xml (sitemap.ts);
 * - compresses each file to .br and .gz, so that the server never compresses.
 */
import { createHash } from 'node:crypto';
import { glob, mkdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuiltSite, builtSiteSchema, type InlineHashes } from '#contract/built-site.schema.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import type { SiteConfig } from '#site.config.ts';
import { SETTINGS_FILE } from './go-live/read-build.ts';
import { buildDir, loadSite } from './load-site.ts';
import { minifyHtml } from './minify-html.ts';
import { shortenClassNames } from './short-class-names.ts';
import { isIndexed, makeSitemap } from './sitemap.ts';
import { groupByStyle } from './style-groups.ts';
import { withoutUnusedVariables } from './unused-variables.ts';

const COMPRESSIBLE = '**/*.{html,js,css,svg,json,webmanifest,txt,xml,vtt}';
/** Lower bound for compression, because the extra headers would outweigh the saved bytes. */
const WORTH_COMPRESSING_BYTES = 256;
const HASH_LENGTH = 8;

const dist = buildDir();
const client = join(dist, 'client');
await setLeafletAside();
await holdModulesBack();
await setNoScriptStyleAside();
await shortenNames();
await describeSite(loadSite('production'));
await setAnswersAside();
await writeSitemap();
await compressFiles();

/** Moves the leaflets out of the served files first, so that their style is not in the content security policy. */
async function setLeafletAside(): Promise<void> {
  await movePage('/leaflet', dist);
}

/** Moves a page that has no URL of its own out of the served files, in every language. @param to the folder */
async function movePage(page: string, to: string): Promise<void> {
  for (const language of LANGUAGES) {
    const from = join(client, pathIn(language, page));
    const file = join(to, `${pathIn(language, page)}.html`);
    await mkdir(dirname(file), { recursive: true });
    await rename(join(from, 'index.html'), file);
    await rmdir(from);
  }
}

/** Moves module scripts into a template, because they delay the first paint. pages/load-module.ts loads them later. */
async function holdModulesBack(): Promise<void> {
  for await (const file of glob('**/*.html', { cwd: client })) {
    const path = join(client, file);
    const html = await readFile(path, 'utf8');
    await writeFile(
      path,
      html.replaceAll(
        /<script src="([^"]+)" type="module" async><\/script>/g,
        '<template data-module="$1"></template>',
      ),
    );
  }
}

/** As a link it needs 100 bytes less of the landing page than inline, with the hash in the headers. */
async function setNoScriptStyleAside(): Promise<void> {
  for (const language of LANGUAGES) {
    const path = join(client, pathIn(language, '/index.html'));
    const html = await readFile(path, 'utf8');
    const [noScript = '', css = ''] = /<noscript><style>(.*?)<\/style>/s.exec(html) ?? [];
    if (noScript === '') throw new Error(`${path} has no style for browsers without script`);
    const hash = createHash('sha256').update(css).digest('hex').slice(0, HASH_LENGTH);
    const file = `assets/static/no-script.${hash}.css`;
    await writeFile(join(client, file), css);
    const link = `<noscript><link rel="stylesheet" href="/${file}">`;
    await writeFile(path, html.replace(noScript, link));
  }
}

async function shortenNames(): Promise<void> {
  const read = async (pattern: string) => {
    const paths = (await Array.fromAsync(glob(pattern, { cwd: client }))).sort();
    return new Map(
      await Promise.all(
        paths.map(async (path) => [path, await readFile(join(client, path), 'utf8')] as const),
      ),
    );
  };
  const [pages, scripts] = [await read('**/*.html'), await read('assets/**/*.js')];
  for (const group of groupByStyle(pages, scripts)) {
    const documents = group.pages.map((path) => pages.get(path) ?? '');
    const short = shortenClassNames(documents, group.scripts);
    for (const [i, path] of group.pages.entries()) {
      const lean = withoutUnusedVariables(short[i] ?? '', group.scripts);
      await writeFile(join(client, path), minifyHtml(lean));
    }
  }
}

async function describeSite(site: SiteConfig): Promise<void> {
  const pages = await Promise.all(
    (await Array.fromAsync(glob('**/*.html', { cwd: client }))).map(readPage),
  );
  const landingPages = await Promise.all(
    LANGUAGES.map((language) => readPage(pathIn(language, '/index.html'))),
  );
  const built: BuiltSite = {
    inlineHashes: inlineHashes(pages),
    landingHashes: inlineHashes(landingPages),
    ipLookupOrigin: site.ipLookupUrl && new URL(site.ipLookupUrl).origin,
    siteUrl: site.siteUrl,
    apiOrigin: site.apiOrigin,
    youtube: site.youtubeId !== null,
    posthogKey: site.posthogKey,
    privacy: {
      logIp: site.logIp,
      posthogHost: site.posthogKey && site.posthogHost,
      posthogSendIp: site.posthogSendIp,
      referringDomain: site.referringDomain,
      clickRetentionDays: site.clickRetentionDays,
    },
    registerForm: site.registerForm,
    mail: {
      productName: site.productName,
      partnerName: site.partnerName,
      signUpUrl: `https://${site.portalHost}/create-account?invitation_code=${site.invitationCode}`,
      contactEmail: site.contactEmail,
      privacyUrl: site.privacyUrl,
    },
  };
  await writeFile(join(dist, 'site.json'), JSON.stringify(builtSiteSchema.parse(built), null, 2));
  await writeFile(join(dist, SETTINGS_FILE), JSON.stringify(site, null, 2));
}

/** Moves the answers to forms out of the served files, because they have no URL of their own. */
async function setAnswersAside(): Promise<void> {
  for (const page of ['/registered', '/not-registered']) {
    await movePage(page, join(dist, 'answers'));
  }
}

/** Lists the pages that the build has made for search engines. */
async function writeSitemap(): Promise<void> {
  const pages: string[] = [];
  for await (const file of glob('**/index.html', { cwd: client })) {
    const html = await readFile(join(client, file), 'utf8');
    if (isIndexed(html)) pages.push(`/${file.slice(0, -'index.html'.length)}`);
  }
  const { siteUrl } = loadSite('production');
  await writeFile(join(client, 'sitemap.xml'), makeSitemap(siteUrl, pages));
}

function readPage(file: string): Promise<string> {
  return readFile(join(client, file), 'utf8');
}

function inlineHashes(pages: string[]): InlineHashes {
  return {
    // Browsers do not run a script with a type. It needs no hash.
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

async function compressFiles(): Promise<void> {
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
