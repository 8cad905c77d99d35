/** The headers of pages, of files and of API answers. */
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

const HTTPS = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' };

test.each(['/', '/es/', '/help/', '/no/such/page'])(
  '%s has every header of a page, and the hashes of the inline scripts',
  async (url) => {
    const { app } = await startApp();
    const { headers } = await app.inject(url);
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'origin-agent-cluster': '?1',
      'permissions-policy': expect.stringContaining('geolocation=()'),
      'cache-control': 'no-cache, no-transform',
      vary: 'accept-encoding, sec-fetch-site',
    });
    for (const name of ['strict-transport-security', 'set-cookie', 'server', 'x-xss-protection'])
      expect(headers).not.toHaveProperty(name);
    expect(String(headers['content-security-policy']).split(';')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'sha256-script=' 'sha256-help-script='",
      "style-src 'self' 'sha256-style=' 'sha256-help-style='",
      "img-src 'self'",
      "font-src 'self'",
      "connect-src 'self' https://ip.example",
      "media-src 'self'",
      "worker-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
  },
);

test('a page allows the IP look-up only if the site uses it, and has no opener policy for a visit that no page has opened', async () => {
  const { app } = await startApp({ site: { ipLookupOrigin: null } });
  for (const url of ['/', '/no/such/page']) {
    for (const from of ['none', 'cross-site', 'same-origin', '']) {
      const { headers } = await app.inject({ url, headers: { 'sec-fetch-site': from } });
      expect(headers['content-security-policy']).toContain("connect-src 'self';");
      expect(headers).toMatchObject({ 'x-frame-options': 'DENY' });
      const policy = from === 'none' ? undefined : 'same-origin';
      expect(headers['cross-origin-opener-policy']).toBe(policy);
    }
  }
});

test('every answer has Strict-Transport-Security if a trusted proxy reports TLS, and only then', async () => {
  const trusting = await startApp({ env: { TRUST_PROXY: '1' } });
  const direct = await startApp();
  const pages = ['/', '/help', '/none', '/r/x'];
  for (const url of [...pages, '/assets/app.3Hrwr8nA.js', '/api/stats', '/api/none']) {
    const { headers } = await trusting.app.inject({ url, headers: HTTPS });
    expect(headers['strict-transport-security'], url).toBe('max-age=63072000');
    const plain = await direct.app.inject({ url, headers: HTTPS });
    expect(plain.headers, url).not.toHaveProperty('strict-transport-security');
  }
});

test('API answers have their four headers, and files few', async () => {
  const { app } = await startApp();
  const few = {
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  };
  for (const url of ['/healthz', '/api/none', '/api/stats?x']) {
    const { headers } = await app.inject(url);
    expect(headers, url).toMatchObject(few);
    expect(headers['cache-control'], url).toMatch(/^no-(store|cache)$/);
    expect(headers, url).not.toHaveProperty('content-security-policy');
  }
  const asset = await app.inject('/assets/app.3Hrwr8nA.js');
  expect(asset.headers).toMatchObject(few);
  expect(asset.headers).not.toHaveProperty('content-security-policy');
  // Other sites show these files in link previews and tabs.
  for (const url of ['/og/card.png', '/favicon.svg'])
    expect((await app.inject(url)).headers['cross-origin-resource-policy']).toBe('cross-origin');
});
