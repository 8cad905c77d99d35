/**
 * The budgets of bytes (docs/results.md), as a browser that knows brotli gets them: what `npm run build` wrote to
 * dist, and the documents of the build with the form and every setting that adds words, because these have most bytes.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { get, type RequestOptions } from 'node:http';
import { dirname, join } from 'node:path/posix';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { buildSite } from '../helpers/run/build-sites.ts';
import { startSite } from '../helpers/server/site-process.ts';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
/** The build with the longest documents. */
const LONGEST = await buildSite('form');
const KIB = 1024;
/** Bytes that a server may send before the first acknowledgement (RFC 6928): ten packets of 1,460 bytes. */
const WINDOW = 14_600;
/** The same document without headers: 13,000 with the operator of site.json, and 100 for a longer one. */
const DOCUMENT = 13_100;
const html = readFileSync(join(CLIENT, 'index.html'), 'utf8');

/** Bytes on the wire. */
function sizeOf(path: string): number {
  const file = join(CLIENT, path);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
}

const sumOf = (paths: Iterable<string>): number =>
  [...new Set(paths)].reduce((sum, path) => sum + sizeOf(path), 0);

/** Returns the paths of this site in the attribute of the tags that match. */
const linked = (tag: RegExp): string[] => [...html.matchAll(tag)].map(([, path = '']) => path);

/** Names of imported scripts, relative to the importing one. */
const STATIC_IMPORT = /(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g;
const ANY_IMPORT = /["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;
/** Only the form's chunk has this word. A page without the form does not load it. */
const FORM_ONLY = 'register-draft';

/** The scripts with all their direct and indirect imports. */
function withImports(scripts: string[], pattern: RegExp): string[] {
  const found = new Set<string>();
  for (const queue = [...scripts]; queue.length > 0; ) {
    const script = queue.pop() as string;
    if (found.has(script)) continue;
    const code = readFileSync(join(CLIENT, script), 'utf8');
    if (code.includes(FORM_ONLY) && !html.includes('data-island="register-form"')) continue;
    found.add(script);
    for (const [, path = ''] of code.matchAll(pattern)) queue.push(join(dirname(script), path));
  }
  return [...found];
}

const scripts = linked(/<script[^>]* src="([^"]+)"/g);
const icons = linked(/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g);
/** They load without scrolling, once the page is idle. A dark drawing is as large as its light one. */
const images = linked(/<img[^>]* src="([^"]+)"/g);
const fonts = globSync('assets/**/*.woff2', { cwd: CLIENT });
// The browser loads the captions of one language.
const aroundFilm = ['video/poster.svg', 'video/film.vtt'];

test('the document with its headers fits into one initial congestion window, in every language', async () => {
  const site = await startSite({ DIST_DIR: LONGEST, TRUST_PROXY: 'loopback' });
  onTestFinished(() => site.remove());
  // Over TLS and from another site, because these answers have the longest headers.
  const headers = {
    'accept-encoding': 'gzip, deflate, br, zstd',
    'sec-fetch-site': 'cross-site',
    'x-forwarded-proto': 'https',
  };
  for (const language of LANGUAGES) {
    const path = pathIn(language, '/');
    const bytes = await bytesOf({ port: site.port, path, headers });
    expect(bytes, language).toBeLessThanOrEqual(WINDOW);
    const document = join(LONGEST, 'client', path, 'index.html.br');
    expect(statSync(document).size, language).toBeLessThanOrEqual(DOCUMENT);
  }
});

describe('the loads of every visitor are within their budgets', () => {
  test('the script that counts clicks is inline and below 1 KB', () => {
    const stubs = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code);
    const stub = stubs.find((code) => code.includes('data-cta')) ?? '';
    expect(stub).not.toBe('');
    expect(gzipSync(stub, { level: 9 }).length).toBeLessThanOrEqual(KIB);
  });

  test('the typefaces', () => {
    expect(fonts).toHaveLength(2);
    expect(sumOf(fonts)).toBeLessThanOrEqual(28 * KIB);
  });

  test('all drawings together, in one colour scheme', () => {
    const light = globSync('components/drawings/files/*-light.svg').sort();
    const drawings = [...light, 'components/drawings/lost.svg'].map((file) => readFileSync(file));
    expect(gzipSync(Buffer.concat(drawings)).length).toBeLessThanOrEqual(14_000);
  });

  test('all that an untouched page loads', () => {
    expect(scripts).toHaveLength(1);
    expect(images.length).toBeGreaterThan(7);
    const files = [...fonts, ...icons, ...images, ...aroundFilm, 'index.html'];
    const first = [...withImports(scripts, STATIC_IMPORT), ...files];
    expect(sumOf(first)).toBeLessThanOrEqual(66 * KIB);
  });
});

test.each(
  LANGUAGES.flatMap((language) => Object.values(HELP_PATHS).map((path) => pathIn(language, path))),
)('the help page %s is within its budget', (path) => {
  const page = join(LONGEST, 'client', path, 'index.html');
  expect(readFileSync(page, 'utf8')).not.toMatch(/<link[^>]* rel="?stylesheet/);
  expect(statSync(`${page}.br`).size).toBeLessThanOrEqual(9_000);
});

test('all loads of a visitor who uses everything, except the film, are within their budget', () => {
  const all = withImports(scripts, ANY_IMPORT);
  expect(all.length).toBeGreaterThan(5);
  const late = globSync('assets/**/*.css', { cwd: CLIENT });
  // A visitor loads each drawing in one colour scheme.
  const drawings = globSync('assets/**/*-{light,dark}.*.svg', { cwd: CLIENT });
  const images = Math.max(
    ...['-light', '-dark'].map((scheme) => sumOf(drawings.filter((path) => path.includes(scheme)))),
  );
  const total = sumOf([...all, ...late, ...fonts, ...icons, ...aroundFilm, 'index.html']) + images;
  expect(total).toBeLessThanOrEqual(220 * KIB);
});

/** Bytes on the wire, headers included. */
const bytesOf = (request: RequestOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    get({ ...request, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.socket.bytesRead));
    }).on('error', reject);
  });
