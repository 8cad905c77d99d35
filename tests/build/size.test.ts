/**
 * The budgets of bytes (docs/results.md), as a browser that knows brotli gets them: what `npm run
 * build` wrote to dist, and the documents of the build with the form and every setting that adds
 * words, because these have most bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path/posix';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { buildSite } from '../helpers/run/build-sites.ts';
import { startSite } from '../helpers/server/site-process.ts';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');
/** The build with the longest documents. */
const LONGEST = await buildSite('form');
const KIB = 1024;
/**
 * Bytes that a server may send before the first acknowledgement (RFC 6928): ten packets of 1,460
 * bytes.
 */
const WINDOW = 14_600;
/**
 * The landing page's document without headers: 13,000 with the operator of site.json, and 100 for a
 * longer one.
 */
const DOCUMENT = 13_100;
const HELP_DOCUMENT = 9_400;
/** All that loads before the visitor does anything, with the headers of every answer. */
const UNTOUCHED = 68_800;
const html = readFileSync(join(CLIENT, 'index.html'), 'utf8');

/** The hash in the name of a built file. */
const HASH = /(?<=[.-])[\w-]{8}(?=\.\w+$)/;

/**
 * Returns the bytes of a file without headers. Every hash in its text is replaced by one that
 * depends only on its place in the text: new hashes change the compressed size of the same words by
 * up to 50 bytes, by which a budget would fail by chance.
 */
function sizeOf(path: string, client = CLIENT): number {
  const file = join(client, path);
  if (!existsSync(`${file}.br`)) return statSync(file).size;
  const hashes = globSync('assets/**/*.{js,css,svg,woff2}', { cwd: client }).flatMap(
    (name) => HASH.exec(name) ?? [],
  );
  const fixed = new Map<string, string>();
  const text = readFileSync(file, 'utf8').replaceAll(RegExp(hashes.join('|'), 'g'), (hash) => {
    const place = createHash('sha256').update(String(fixed.size)).digest('base64url');
    if (!fixed.has(hash)) fixed.set(hash, place.slice(0, hash.length));
    return fixed.get(hash) as string;
  });
  return brotliCompressSync(text).length;
}

const sumOf = (paths: Iterable<string>): number =>
  [...new Set(paths)].reduce((sum, path) => sum + sizeOf(path), 0);

/** Returns the paths of the site in the attribute of a page's tags that match. */
const linked = (tag: RegExp, page = html): string[] =>
  [...page.matchAll(tag)].map(([, path = '']) => path);

/** Names of imported scripts, relative to the importing one. */
const ANY_IMPORT = /["'`](\.{1,2}\/[^"'`]+\.js)["'`]/g;
/** Only the form's chunk has this word. A page without the form does not load it. */
const FORM_ONLY = 'register-draft';

/** The scripts with all their direct and indirect imports. */
function withImports(scripts: string[]): string[] {
  const found = new Set<string>();
  for (const queue = [...scripts]; queue.length > 0; ) {
    const script = queue.pop() as string;
    if (found.has(script)) continue;
    const code = readFileSync(join(CLIENT, script), 'utf8');
    if (code.includes(FORM_ONLY) && !html.includes('data-island="register-form"')) continue;
    found.add(script);
    for (const [, path = ''] of code.matchAll(ANY_IMPORT)) queue.push(join(dirname(script), path));
  }
  return [...found];
}

const SCRIPT = /<script[^>]* src="([^"]+)"/g;
const ICON = /<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/g;
const STYLE = /<link rel="stylesheet" href="([^"]+)"/g;
/**
 * They load without scrolling, once the page is idle. A dark drawing is as large as its light one.
 */
const IMAGE = /<img[^>]* src="([^"]+)"/g;
const scripts = linked(SCRIPT);
const icons = linked(ICON);
const fonts = globSync('assets/**/*.woff2', { cwd: CLIENT });
// The browser loads the captions of one language.
const aroundFilm = ['video/poster.svg', 'video/film.vtt'];

const LANDING = LANGUAGES.flatMap((language) =>
  [dirname(CLIENT), LONGEST].map((dist) => ({ dist, path: pathIn(language, '/') })),
);

/** Over TLS and from another site, because these answers have the longest headers. */
const FROM_ANOTHER_SITE = { 'sec-fetch-site': 'cross-site', 'x-forwarded-proto': 'https' };

test.each(LANDING)(
  'the document of $path in $dist is within its budget, and with its headers fits into one initial congestion window',
  async ({ dist, path }) => {
    expect(sizeOf(`${path}index.html`, join(dist, 'client'))).toBeLessThanOrEqual(DOCUMENT);
    const answer = await load(await start(dist), path, FROM_ANOTHER_SITE);
    expect(answer.body + answer.headers).toBeLessThanOrEqual(WINDOW);
  },
);

test.each(LANGUAGES.map((language) => pathIn(language, '/')))(
  'all that %s loads untouched is within its budget, with the headers of every answer',
  async (path) => {
    const document = join(path, 'index.html');
    const page = readFileSync(join(CLIENT, document), 'utf8');
    const [script = '', ...moreScripts] = linked(SCRIPT, page);
    const [style = '', ...moreStyles] = linked(STYLE, page);
    const images = linked(IMAGE, page);
    expect([moreScripts, moreStyles]).toEqual([[], []]);
    expect(images.length).toBeGreaterThan(7);
    // The script imports no other file (one-script.test.ts).
    const [icon = ''] = linked(ICON, page);
    const port = await start(dirname(CLIENT));
    let total = 0;
    const files = [path, ...fonts, script, style, icon, ...images, ...aroundFilm];
    for (const file of new Set(files.map((name) => join('/', name)))) {
      const { headers } = await load(port, file);
      total += headers + sizeOf(file === path ? document : file);
    }
    expect(total).toBeLessThanOrEqual(UNTOUCHED);
  },
);

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
});

test.each(
  LANGUAGES.flatMap((language) => Object.values(HELP_PATHS).map((path) => pathIn(language, path))),
)('the help page %s is within its budget', (path) => {
  const page = join(LONGEST, 'client', path, 'index.html');
  expect(readFileSync(page, 'utf8')).not.toMatch(/<link[^>]* rel="?stylesheet/);
  expect(sizeOf(join(path, 'index.html'), join(LONGEST, 'client'))).toBeLessThanOrEqual(
    HELP_DOCUMENT,
  );
});

test('all loads of a visitor who uses everything, except the film, are within their budget', () => {
  const all = withImports(scripts);
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

/** Starts the real server for the running test. @returns its port */
async function start(dist: string): Promise<number> {
  const site = await startSite({ DIST_DIR: dist, TRUST_PROXY: 'loopback' });
  onTestFinished(() => site.remove());
  return site.port;
}

/** Returns the bytes of an answer on the wire, with the headers of a connection that stays open. */
const load = (port: number, path: string, sent: Record<string, string> = {}) =>
  new Promise<{ headers: number; body: number }>((resolve, reject) => {
    const connection = { 'accept-encoding': 'gzip, deflate, br, zstd', connection: 'keep-alive' };
    const headers = { ...connection, ...sent };
    get({ port, path, headers, agent: false }, (answer) => {
      const { socket, statusCode } = answer;
      const body = Number(answer.headers['content-length']);
      answer.resume().on('end', () => {
        resolve({ headers: socket.bytesRead - body, body });
        socket.destroy();
        expect([path, statusCode, body > 0]).toEqual([path, 200, true]);
      });
    }).on('error', reject);
  });
