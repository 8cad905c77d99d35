/** Pages, files, and the 404 card at every other path. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

const PAGE = '<!doctype html><title>The page</title>';
const SPANISH = '<!doctype html><title>La página</title>';
const CARD = '<!doctype html><title>404 Page Not Found</title>';
const HTML = { accept: 'text/html,*/*;q=0.8' };

test('a page is revalidated by its ETag, and HEAD has no body', async () => {
  const { app } = await startApp();
  const first = await app.inject('/?ref=clinic-7');
  expect(first.body).toBe(PAGE);
  expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
  const headers = { 'if-none-match': String(first.headers.etag) };
  const again = await app.inject({ url: '/', headers });
  expect([again.statusCode, again.body]).toEqual([304, '']);
  const head = await app.inject({ method: 'HEAD', url: '/' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
});

test.each([
  ['br, gzip', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
  ['br;q=0, gzip', 'gzip', gunzipSync],
] as const)('pages come compressed for Accept-Encoding: %s', async (accepted, encoding, unpack) => {
  const { app } = await startApp();
  for (const [url, text] of [
    ['/', PAGE],
    ['/none', CARD],
  ] as const) {
    const answer = await app.inject({ url, headers: { 'accept-encoding': accepted } });
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(unpack(answer.rawPayload).toString()).toBe(text);
  }
});

test('a page is the same for every Accept-Language, because languages have addresses of their own', async () => {
  const { app } = await startApp();
  for (const [url, html] of [
    ['/', PAGE],
    ['/es/', SPANISH],
  ] as const) {
    for (const accepted of ['es', 'en', 'es-MX, es;q=0.9, en;q=0.1']) {
      const answer = await app.inject({ url, headers: { 'accept-language': accepted } });
      expect([answer.statusCode, answer.body]).toEqual([200, html]);
    }
  }
});

test('files with a hash are cached for a year, and others for an hour', async () => {
  const { app } = await startApp();
  const url = '/assets/app.3Hrwr8nA.js';
  expect((await app.inject({ url, headers: { 'accept-encoding': 'br' } })).headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
  });
  const icon = await app.inject('/favicon.svg');
  expect(icon.headers['cache-control']).toBe('public, max-age=3600');
  expect((await app.inject('/.well-known/security.txt')).statusCode).toBe(200);
});

test('the film answers range requests, as players send them', async () => {
  const { app } = await startApp();
  const headers = { range: 'bytes=2-5' };
  const answer = await app.inject({ url: '/assets/film.Ab12Cd34.mp4', headers });
  expect([answer.statusCode, answer.body]).toEqual([206, 'film']);
  expect(answer.headers['content-range']).toBe('bytes 2-5/20');
});

test.each([
  ['/help', '/help/'],
  ['/help?ref=clinic-7', '/help/?ref=clinic-7'],
  ['/help//', '/help/'],
  ['//help/?ref=clinic-7', '/help/?ref=clinic-7'],
  ['/es//', '/es/'],
])('%s leads to %s', async (url, location) => {
  const { app } = await startApp();
  for (const encoding of ['br', 'identity']) {
    const answer = await app.inject({ url, headers: { ...HTML, 'accept-encoding': encoding } });
    expect([301, 308]).toContain(answer.statusCode);
    expect(answer.headers.location).toBe(location);
  }
});

const UNKNOWN = [
  ...['/none', '/index.html', '/404.html', '/404.html.br', '/assets/', '/assets/none.js'],
  ...[
    '/assets/app.3Hrwr8nA.js.gz',
    '/.secret',
    '/kitten',
    '/es/none',
    '/es/index.html',
    '/es/help',
  ],
  // Escapes are no second address of a page.
  ...['/%69ndex.html', '/help/index%2ehtml', '/es/%69ndex.html'],
];
test.each(UNKNOWN)('%s is the 404 card in its language, not for search engines', async (url) => {
  const { app } = await startApp();
  const { statusCode, headers, body } = await app.inject(url);
  expect(statusCode).toBe(404);
  expect(headers['x-robots-tag']).toBe('noindex');
  expect(body).toContain(
    url.startsWith('/es/') ? '404: página no encontrada' : '404 Page Not Found',
  );
});

test.each([
  { 'if-none-match': '"of an earlier build"' },
  { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  { range: 'bytes=0-3' },
])('the card is whole for a client that sends %o', async (headers) => {
  const { app } = await startApp();
  for (const method of ['GET', 'POST'] as const) {
    const { statusCode, body } = await app.inject({ method, url: '/none', headers });
    expect([statusCode, body]).toEqual([404, CARD]);
  }
});

const ODD = [
  ...['/%00', '/%zz', '/%E0%A4%A', '/%', '/a/../b', '/..%2fsite.json', '/../../etc/passwd'],
  ...['/%2e%2e/%2e%2e/etc/passwd', `/${'a'.repeat(5000)}`, `/${'a/'.repeat(3000)}`],
];
test.each(ODD)('%s is the 404 card for a browser, and an error for a program', async (url) => {
  const { app } = await startApp();
  const card = await app.inject({ url, headers: HTML });
  expect([card.statusCode, card.body]).toEqual([404, CARD]);
  expect(card.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
  });
  const { statusCode } = await app.inject({ url, headers: { accept: 'application/json' } });
  expect(statusCode).toBeGreaterThanOrEqual(400);
  expect(statusCode).toBeLessThan(500);
});

test.each(['//x', '//x/', '/none//', '//api.example/help/'])(
  'the redirect of %s stays at this site, and ends at the card',
  async (url) => {
    const { app } = await startApp();
    const { headers } = await app.inject({ url, headers: HTML });
    expect(headers.location).toMatch(/^\/[^/]/);
    const card = await app.inject({ url: String(headers.location), headers: HTML });
    expect([card.statusCode, card.body]).toEqual([404, CARD]);
  },
);

test('a short link with an invalid escape still leads to the page', async () => {
  const { app } = await startApp();
  const { statusCode, headers } = await app.inject('/r/%ff');
  expect([statusCode, headers.location]).toEqual([302, '/?ref=%25ff']);
});

test('an unknown path under /api is JSON, for a body of any type', async () => {
  const { app } = await startApp();
  expect((await app.inject({ url: '/api/%00', headers: HTML })).json()).toHaveProperty(
    'error.code',
  );
  for (const url of ['/api/none', '/api', '/api/log-cta', '/api/register']) {
    const answer = await app.inject({ url, headers: HTML });
    expect(answer.statusCode).toBe(404);
    const error = { code: 'not_found', message: 'There is no GET at this path.' };
    expect(answer.json()).toEqual({ error });
  }
  for (const type of ['application/json', 'text/plain', 'image/png']) {
    const request = { payload: '{', headers: { 'content-type': type } };
    const answer = await app.inject({ method: 'POST', url: '/api/none', ...request });
    expect(answer.statusCode).toBe(404);
  }
});
