/** Pages, files, and the 404 card at every other path. */
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const PAGE = '<!doctype html><title>The page</title>';
const SPANISH = '<!doctype html><title>La página</title>';
const CARD = '<!doctype html><title>404 Page Not Found</title>';
const HTML = { accept: 'text/html,*/*;q=0.8' };

test('a page is revalidated by its ETag, is the same for every Accept-Language, and HEAD has no body', async () => {
  const { app } = await startApp();
  for (const [url, html] of [
    ['/?ref=clinic-7', PAGE],
    ['/es/', SPANISH],
  ] as const) {
    const first = await app.inject({ url, headers: { 'accept-language': 'es-MX, es;q=0.9' } });
    expect([first.statusCode, first.body]).toEqual([200, html]);
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
    const headers = { 'if-none-match': String(first.headers.etag) };
    const again = await app.inject({ url, headers });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const head = await app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.body]).toEqual([200, '']);
  }
});

test('a changed page is sent again, although its size and the time of its file are those of the one before', async () => {
  const dist = makeDist();
  const page = join(dist, 'client/index.html');
  const build = (title: string) => {
    for (const [end, pack] of [
      ['', Buffer.from],
      ['.br', brotliCompressSync],
      ['.gz', gzipSync],
    ] as const) {
      writeFileSync(page + end, pack(`<!doctype html><title>${title}</title>`));
      // As images have that are made again byte by byte.
      utimesSync(page + end, 1, 1);
    }
  };
  build('Page 1');
  const { app } = await startApp({ env: { DIST_DIR: dist } });
  const accepted = ['br', 'gzip', 'identity'].map((encoding) => ({ 'accept-encoding': encoding }));
  const ask = (headers: object) => app.inject({ url: '/', headers: { ...headers } });
  const first = await Promise.all(accepted.map(ask));
  const conditions = first.flatMap(({ headers: { etag } }, i) => [
    { ...accepted[i], 'if-none-match': `"another", W/${etag}` },
    { ...accepted[i], 'if-modified-since': new Date().toUTCString() },
  ]);
  const statuses = async () =>
    (await Promise.all(conditions.map(ask))).map(({ statusCode }) => statusCode);
  expect(await statuses()).toEqual([304, 200, 304, 200, 304, 200]);
  build('Page 2');
  expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]);
});

test('pages come compressed as the browser accepts them', async () => {
  const { app } = await startApp();
  for (const [accepted, encoding, unpack] of [
    ['br, gzip', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    for (const url of ['/', '/none']) {
      const answer = await app.inject({ url, headers: { 'accept-encoding': accepted } });
      expect(answer.headers['content-encoding']).toBe(encoding);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(unpack(answer.rawPayload).toString()).toBe(url === '/' ? PAGE : CARD);
    }
  }
});

test('files with a hash are cached for a year, and others for an hour; the film answers range requests', async () => {
  const { app } = await startApp();
  const url = '/assets/app.3Hrwr8nA.js';
  const script = await app.inject({ url, headers: { 'accept-encoding': 'br' } });
  expect(script.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
  });
  const icon = await app.inject('/favicon.svg');
  expect(icon.headers['cache-control']).toBe('public, max-age=3600');
  // Only what can change can be asked for again.
  expect([script.headers.etag, script.headers['last-modified']]).toEqual([undefined, undefined]);
  expect(icon.headers).toMatchObject({ etag: expect.any(String) });
  expect((await app.inject('/.well-known/security.txt')).statusCode).toBe(200);
  const part = { url: '/assets/film.Ab12Cd34.mp4', headers: { range: 'bytes=2-5' } };
  const { statusCode, body, headers } = await app.inject(part);
  expect([statusCode, body, headers['content-range']]).toEqual([206, 'film', 'bytes 2-5/20']);
});

test.each([
  ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ['/sitemap.xml', 'application/xml'],
])('%s has its type', async (url, type) => {
  const { app } = await startApp();
  const { statusCode, headers } = await app.inject(url);
  expect([statusCode, headers['content-type']]).toEqual([200, type]);
});

test('an address without its slash leads to the page', async () => {
  const { app } = await startApp();
  for (const [url, location] of [
    ['/help', '/help/'],
    ['/help?ref=clinic-7', '/help/?ref=clinic-7'],
  ] as const)
    for (const encoding of ['br', 'identity']) {
      const headers = { ...HTML, 'accept-encoding': encoding };
      const answer = await app.inject({ url, headers });
      expect([answer.statusCode, answer.headers.location]).toEqual([301, location]);
    }
});

const UNKNOWN = [
  '/none',
  '/index.html',
  '/404.html',
  '/404.html.br',
  '/assets/',
  '/assets/none.js',
  '/assets/app.3Hrwr8nA.js.gz',
  '/.secret',
  '/kitten',
  '/es/none',
  '/es/index.html',
  // Escapes are no second address of a page.
  '/ES/',
  '/Help/',
  '/RX',
  '/ESR',
  '/es/help',
  '/%69ndex.html',
  '/help/index%2ehtml',
  '/es/%69ndex.html',
];
const ODD = [
  '//x',
  '//x/',
  '/help//',
  '//help',
  '//help/',
  '//api.example/help/',
  '/es//',
  '/%00',
  '/%zz',
  '/%E0%A4%A',
  '/%',
  '/a/../b',
  '/..%2fsite.json',
  '/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  `/${'a'.repeat(5000)}`,
  `/${'a/'.repeat(3000)}`,
];

test('every other path is the 404 card in its language, not for search engines', async () => {
  const { app } = await startApp();
  for (const url of [...UNKNOWN, ...ODD]) {
    const { statusCode, headers, body } = await app.inject({ url, headers: HTML });
    const title = url.startsWith('/es/') ? '404: página no encontrada' : '404 Page Not Found';
    expect([url, statusCode, body]).toEqual([url, 404, expect.stringContaining(title)]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const program = await app.inject({ url, headers: { accept: 'application/json' } });
    expect(Math.floor(program.statusCode / 100)).toBe(4);
  }
});

test('the card is whole for a client that asks for a part, or knows another one', async () => {
  const { app } = await startApp();
  for (const headers of [
    { 'if-none-match': '"of an earlier build"' },
    { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { range: 'bytes=0-3' },
  ]) {
    const { statusCode, body } = await app.inject({ url: '/none', headers });
    expect([statusCode, body]).toEqual([404, CARD]);
  }
});

test('an unknown path under /api or /k is JSON, for a body of any type', async () => {
  const { app } = await startApp();
  const odd = await app.inject({ url: '/api/%00', headers: HTML });
  expect(odd.json()).toHaveProperty('error.code');
  const error = { code: 'not_found', message: 'There is no GET at this path.' };
  for (const url of ['/api/none', '/api', '/api/log-cta', '/api/register']) {
    const answer = await app.inject({ url, headers: HTML });
    expect([answer.statusCode, answer.json()]).toEqual([404, { error }]);
  }
  for (const url of ['/api/none', '/k/', '/k/flags/', '/k/array/phc_x/config.js', '/k/e'])
    for (const type of ['application/json', 'text/plain', 'image/png']) {
      const request = { payload: '{', headers: { 'content-type': type } };
      const answer = await app.inject({ method: 'POST', url, ...request });
      expect([answer.statusCode, answer.json()]).toMatchObject([404, { error: {} }]);
    }
});
