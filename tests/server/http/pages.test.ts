import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

const PAGE = '<!doctype html><title>The page</title>';
const CARD = '<!doctype html><title>404 Page Not Found</title>';
const YEAR = 'public, max-age=31536000, immutable';

describe('security headers', () => {
  const FULL = {
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'origin-agent-cluster': '?1',
    'permissions-policy': expect.stringContaining('geolocation=()'),
    'cache-control': 'no-cache, no-transform',
  };

  test.each([
    ['/', '', ''],
    ['/es/', '', ''],
    ['/help/', " 'sha256-help-script='", " 'sha256-help-style='"],
    ['/no/such/page', " 'sha256-help-script='", " 'sha256-help-style='"],
  ])('are complete on %s', async (url, helpScript, helpStyle) => {
    const { app } = await startApp();
    const { headers } = await app.inject(url);
    expect(headers).toMatchObject(FULL);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers).not.toHaveProperty('server');
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self' 'sha256-script='${helpScript}; script-src-attr 'none'; ` +
        `style-src 'self' 'sha256-style='${helpStyle}; style-src-attr 'none'; img-src 'self'; font-src 'self'; ` +
        "connect-src 'self' https://ip.example; media-src 'self'; manifest-src 'self'; " +
        "worker-src 'none'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
  });

  test.each(['/', '/no/such/page'])(
    'leave out the opener policy on %s for a visit that no page has opened',
    async (url) => {
      const { app } = await startApp();
      const policyFor = async (site: string) => {
        const { headers } = await app.inject({ url, headers: { 'sec-fetch-site': site } });
        expect(headers).toMatchObject({ 'x-frame-options': 'DENY' });
        return headers['cross-origin-opener-policy'];
      };
      expect(await policyFor('none')).toBeUndefined();
      for (const site of ['cross-site', 'same-site', 'same-origin', '']) {
        expect(await policyFor(site)).toBe('same-origin');
      }
    },
  );

  test('allow the IP look-up only if the site uses it', async () => {
    const { app } = await startApp({ site: { ipLookupOrigin: null } });
    const { headers } = await app.inject('/');
    expect(headers['content-security-policy']).toContain("connect-src 'self';");
  });

  test.each(['/', '/assets/app.3Hrwr8nA.js', '/api/stats', '/api/none', '/none'])(
    'have Strict-Transport-Security on %s only if a trusted proxy reports TLS',
    async (url) => {
      const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };
      const trusting = await startApp({ env: { TRUST_PROXY: '1' } });
      const answer = await trusting.app.inject({ url, headers });
      expect(answer.headers['strict-transport-security']).toBe('max-age=63072000');
      const direct = await startApp();
      const plain = await direct.app.inject({ url, headers });
      expect(plain.headers).not.toHaveProperty('strict-transport-security');
    },
  );

  test.each([
    ['on', 'max-age=63072000'],
    ['subdomains', 'max-age=63072000; includeSubDomains'],
    ['preload', 'max-age=63072000; includeSubDomains; preload'],
    ['off', undefined],
  ])('have Strict-Transport-Security as HSTS=%s sets it', async (HSTS, expected) => {
    const { app } = await startApp({ env: { TRUST_PROXY: '1', HSTS } });
    const { headers } = await app.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' } });
    expect(headers['strict-transport-security']).toBe(expected);
  });

  test('upgrade insecure requests over TLS', async () => {
    const { app } = await startApp({ env: { TRUST_PROXY: '1' } });
    const answer = await app.inject({ url: '/', headers: { 'x-forwarded-proto': 'https' } });
    expect(answer.headers['content-security-policy']).toMatch(/; upgrade-insecure-requests$/);
  });

  test('are few on files and on the API', async () => {
    const { app } = await startApp();
    const asset = await app.inject('/assets/app.3Hrwr8nA.js');
    expect(asset.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(asset.headers).not.toHaveProperty('content-security-policy');
    const api = await app.inject('/healthz');
    expect(api.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    });
  });

  test.each(['/og/card.png', '/favicon.svg'])('let other sites show %s', async (url) => {
    const { app } = await startApp();
    expect((await app.inject(url)).headers['cross-origin-resource-policy']).toBe('cross-origin');
  });
});

describe('the page', () => {
  test('is revalidated by its ETag', async () => {
    const { app } = await startApp();
    const first = await app.inject('/?ref=clinic-7');
    expect(first.body).toBe(PAGE);
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8');
    const again = await app.inject({
      url: '/',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const)('comes compressed for Accept-Encoding: %s', async (accepted, encoding, unpack) => {
    const { app } = await startApp();
    for (const [url, text] of [
      ['/', PAGE],
      ['/none', CARD],
    ] as const) {
      const answer = await app.inject({ url, headers: { 'accept-encoding': accepted } });
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        vary: 'accept-encoding, sec-fetch-site',
      });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(unpack(answer.rawPayload).toString()).toBe(text);
    }
  });

  test('is the same for every Accept-Language, because languages are at addresses of their own', async () => {
    const { app } = await startApp();
    for (const [url, html] of [
      ['/', PAGE],
      ['/es/', '<!doctype html><title>La página</title>'],
    ] as const) {
      for (const accepted of ['es', 'en', 'es-MX, es;q=0.9, en;q=0.1']) {
        const answer = await app.inject({ url, headers: { 'accept-language': accepted } });
        expect([answer.statusCode, answer.body]).toEqual([200, html]);
      }
    }
  });

  test('answers HEAD without a body', async () => {
    const { app } = await startApp();
    const answer = await app.inject({ method: 'HEAD', url: '/' });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toBe('');
  });
});

describe('files', () => {
  test('with a hash in their name are cached for a year', async () => {
    const { app } = await startApp();
    const headers = { 'accept-encoding': 'br' };
    const answer = await app.inject({ url: '/assets/app.3Hrwr8nA.js', headers });
    expect(answer.headers).toMatchObject({
      'cache-control': YEAR,
      'content-encoding': 'br',
      'content-type': 'application/javascript; charset=utf-8',
    });
  });

  test('without a hash are cached for an hour', async () => {
    const { app } = await startApp();
    expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe(
      'public, max-age=3600',
    );
    expect((await app.inject('/.well-known/security.txt')).statusCode).toBe(200);
  });

  test('answer range requests, as players send them', async () => {
    const { app } = await startApp();
    const answer = await app.inject({
      url: '/assets/film.Ab12Cd34.mp4',
      headers: { range: 'bytes=2-5' },
    });
    expect(answer.statusCode).toBe(206);
    expect(answer.body).toBe('film');
    expect(answer.headers['content-range']).toBe('bytes 2-5/20');
    expect(answer.headers['accept-ranges']).toBe('bytes');
  });
});

describe('any other path', () => {
  const paths = [
    '/none',
    '/index.html',
    '/404.html',
    '/404.html.br',
    '/assets',
    '/assets/',
    '/assets/app.3Hrwr8nA.js.gz',
    '/assets/none.js',
    '/.secret',
    '/kitten',
  ];
  test.each(paths)('%s is the 404 page, not for search engines', async (url) => {
    const { app } = await startApp();
    const answer = await app.inject(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe(CARD);
    expect(answer.headers['x-robots-tag']).toBe('noindex');
  });

  test.each(['/es/none', '/es/index.html', '/es/404.html', '/es/help'])(
    '%s is the Spanish 404 page',
    async (url) => {
      const { app } = await startApp();
      const answer = await app.inject(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toContain('404: página no encontrada');
      expect(answer.headers['x-robots-tag']).toBe('noindex');
    },
  );

  test.each([
    { 'if-none-match': '"of an earlier build"' },
    { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    { range: 'bytes=0-3' },
  ])('is the whole 404 page for a client that sends %o', async (headers) => {
    const { app } = await startApp();
    for (const method of ['GET', 'POST'] as const) {
      const answer = await app.inject({ method, url: '/none', headers });
      expect(answer.statusCode).toBe(404);
      expect(answer.body).toBe(CARD);
    }
  });

  test.each(['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/..%2fsite.json', '/%00', '/%zz'])(
    '%s leads nowhere',
    async (url) => {
      const { app } = await startApp();
      const answer = await app.inject(url);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.body).not.toContain('root:');
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    },
  );

  const ODD = [
    ...['/%00', '/%zz', '/%E0%A4%A', '/%', '//x', '//x/', '/a/../b', '/..%2fsite.json'],
    ...['/none//', '//api.example/help/', `/${'a'.repeat(5000)}`, `/${'a/'.repeat(3000)}`],
  ];
  test.each(ODD)('is the 404 card for a browser at %s, and no card for a program', async (url) => {
    const { app } = await startApp();
    const card = await app.inject({ url, headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(card.statusCode).toBe(404);
    expect(card.body).toBe(CARD);
    expect(card.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    });
    const { statusCode } = await app.inject({ url, headers: { accept: 'application/json' } });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
  });

  test.each([
    ['/help//', '/help/'],
    ['//help/?ref=clinic-7', '/help/?ref=clinic-7'],
    ['/es//', '/es/'],
  ])('%s leads to %s, because a doubled slash is a typing error', async (url, location) => {
    const { app } = await startApp();
    const answer = await app.inject({ url, headers: { accept: 'text/html' } });
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location).toBe(location);
  });

  test('a short link with an invalid escape still leads to the page', async () => {
    const { app } = await startApp();
    const { statusCode, headers } = await app.inject('/r/%ff');
    expect([statusCode, headers.location]).toEqual([302, '/?ref=%25ff']);
  });

  test('is at the only address of a page: no escape is a second one', async () => {
    const { app } = await startApp();
    for (const url of ['/%69ndex.html', '/help/index%2ehtml', '/es/%69ndex.html'])
      expect((await app.inject({ url, headers: { accept: 'text/html' } })).statusCode).toBe(404);
  });

  test('under /api is JSON', async () => {
    const { app } = await startApp();
    for (const url of ['/api/none', '/api', '/api/log-cta', '/api/register']) {
      const answer = await app.inject(url);
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({
        error: { code: 'not_found', message: 'There is no GET at this path.' },
      });
    }
  });

  test('is limited', async () => {
    const { app } = await startApp({ env: { RATE_LIMIT_OTHER: '1' } });
    await app.inject('/none');
    expect((await app.inject('/none2')).statusCode).toBe(429);
    expect((await app.inject('/')).statusCode).toBe(200);
  });
});

/** Sends bytes to the real server, because an HTTP client would change them. @returns its whole answer */
async function sendBytes(text: string): Promise<string> {
  const { app } = await startApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  return readText(socket);
}

test('a request with a whole address stays at this site', async () => {
  const answer = await sendBytes(
    'GET http://stranger.example/help?ref=x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 308 /);
  expect(answer).toMatch(/^location: \/help\/\?ref=x\r$/im);
});

test('a request for two hosts is refused', async () => {
  const answer = await sendBytes(
    'GET / HTTP/1.1\r\nHost: x\r\nHost: stranger.example\r\nConnection: close\r\n\r\n',
  );
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
});
