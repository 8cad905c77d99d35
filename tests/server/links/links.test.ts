/** Short links, and GET /create-account of the default build, which has no portal. */

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

const CASES = [
  ['/r/clinic-7', '/?ref=clinic-7'],
  ['/r/clinic-7?utm_source=leaflet&utm_medium=a', '/?ref=clinic-7&utm_source=leaflet&utm_medium=a'],
  // Only these parameters pass, and only with values of their form.
  [
    '/r/clinic-7?gclid=1&utm_term=a%20b&utm_content=x&ref=b&utm_content=y',
    '/?ref=clinic-7&utm_content=x',
  ],
  [`/r/clinic-7?utm_campaign=${'x'.repeat(65)}`, '/?ref=clinic-7'],
  // From a message, or typed from paper.
  ['/r/clinic-7/', '/?ref=clinic-7'],
  ['/r/clinic-7.', '/?ref=clinic-7'],
  ['/r/%20clinic-7%0D%0A', '/?ref=clinic-7'],
  ['/r/Klinik%20S%C3%BCd', '/?ref=Klinik+S%C3%BCd'],
  ['/r/a&ref=b#c', '/?ref=a%26ref%3Db'],
  ['/r/%ff', '/?ref=%25ff'],
  ['/R/CLINIC-7', '/?ref=CLINIC-7'],
  ['/es/r/clinic-7?utm_source=leaflet', '/es/?ref=clinic-7&utm_source=leaflet'],
  ['/ES/R/CLINIC-7', '/es/?ref=CLINIC-7'],
  ['/es/R/ES', '/es/?ref=ES'],
  ['/Es/r/R/ES/R', '/es/?ref=R%2FES%2FR'],
  ['/R/%ff', '/?ref=%25ff'],
  ['/ES/R', '/es/'],
  ['/es/r', '/es/'],
  ['/r/', '/'],
  ['/R?utm_source=leaflet', '/?utm_source=leaflet'],
  ['/r/?utm_source=leaflet', '/?utm_source=leaflet'],
  [`/r/${'c'.repeat(500)}`, `/?ref=${'c'.repeat(128)}`],
];

test('a short link leads to the page with its ref and campaign', async () => {
  const { app } = await startApp();
  for (const [url = '', landing] of CASES) {
    const { statusCode, headers } = await app.inject(url);
    expect([url, statusCode, headers.location]).toEqual([url, 302, landing]);
  }
});

test('a short link stays on this site, whatever its code is', async () => {
  const { app } = await startApp();
  const odd = ['/evil.example', 'https://evil.example', '%2f%2fevil.example', '..%2fevil'];
  for (const code of [...odd, '%5cevil.example', '@evil.example']) {
    const { statusCode, headers } = await app.inject(`/r/${code}`);
    const target = new URL(String(headers.location), 'https://site.example');
    expect([statusCode, target.origin + target.pathname]).toEqual([302, 'https://site.example/']);
    expect(target.searchParams.get('ref')).toBeTruthy();
  }
});

test('a short link answers HEAD, has the headers of a page, and no browser or proxy stores it', async () => {
  const { app } = await startApp();
  const { statusCode, headers } = await app.inject({ method: 'HEAD', url: '/r/clinic-7' });
  expect([statusCode, headers.location]).toEqual([302, '/?ref=clinic-7']);
  expect(headers['cache-control']).toBe('no-store');
  expect((await app.inject({ method: 'POST', url: '/r/clinic-7' })).statusCode).toBe(404);
  const securityOf = async (url: string, from: string) => {
    const answer = await app.inject({ url, headers: { 'sec-fetch-site': from } });
    const isSecurity = ([name]: [string, unknown]) =>
      /policy|^x-|^origin-agent|^vary$/.test(name) && !name.includes('ratelimit');
    return Object.fromEntries(Object.entries(answer.headers).filter(isSecurity));
  };
  for (const from of ['none', 'cross-site']) {
    const page = await securityOf('/help/', from);
    expect(Object.keys(page).length).toBeGreaterThan(6);
    expect(await securityOf('/r/clinic-7', from)).toEqual(page);
  }
});

const PATH = '/create-account';
const DIST_DIR = resolve(process.env.DIST_DIR ?? 'dist');

async function open(query: string, headers: Record<string, string> = {}) {
  const { app } = await startApp({ env: { DIST_DIR } });
  return app.inject({ url: `${PATH}?${query}`, headers });
}

/** The words of the page's card. */
const wordsOf = (html: string) => {
  const [, main = ''] = html.split('<main');
  return main.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
};

test('says what opens there, why it does not, and shows the ref and the invitation code', async () => {
  const { statusCode, headers, body } = await open('invitation_code=SMADRIVE&ref=clinic-7');
  expect(statusCode).toBe(200);
  expect(headers).toMatchObject({
    ...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store, no-transform' },
    'x-robots-tag': 'noindex',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect(body).toContain('<meta name="robots" content="noindex"');
  expect(body).not.toContain('<script');
  const words = wordsOf(body);
  for (const text of [
    'Later, the portal of Wayfield Health will open here.',
    'portalHost',
    ': SMADRIVE',
    ': clinic-7',
  ])
    expect(words).toContain(text);
  expect(words).not.toMatch(/privacy policy of|terms of|\{\{|will open in this tab/);
  const privacy = wordsOf((await open('page=privacy')).body);
  expect(privacy).toContain('Later, the privacy policy of Wayfield Health will open here.');
  expect(privacy).not.toMatch(/The portal of|code:/i);
  expect(wordsOf((await open('page=terms')).body)).toContain('Later, the terms of Wayfield Health');
});

test('shows any value as text, cut, in the language of the page with the link', async () => {
  const script = '<script>alert(1)</script>{{code}}';
  const { body } = await open(new URLSearchParams({ ref: script }).toString());
  expect(body).not.toContain('<script');
  expect(body).toContain('&#60;script&#62;alert(1)&#60;/script&#62;{{code}}');
  for (const [headers, language] of [
    [{ referer: 'https://site.example/es/help/' }, 'es'],
    [{ referer: 'https://site.example/help/', 'accept-language': 'es' }, 'en'],
    [{ 'accept-language': 'es' }, 'en'],
  ] as const) {
    const query = `invitation_code=${'c'.repeat(99)}&ref=${'r'.repeat(999)}`;
    const long = await open(query, headers);
    expect(long.body).toContain(`<html lang="${language}">`);
    expect(wordsOf(long.body)).toMatch(/ c{64} .* r{128} /);
  }
});

test('answers no other method; no log and no file for search engines has its address; with a portal it is an unknown path', async () => {
  const { app, logged } = await startApp({ env: { DIST_DIR, LOG_LEVEL: 'debug' } });
  expect((await app.inject({ method: 'HEAD', url: PATH })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: PATH })).statusCode).toBe(404);
  await app.inject(`${PATH}?ref=clinic-7`);
  expect(JSON.stringify(logged())).not.toContain('clinic-7');
  expect((await app.inject('/robots.txt')).body).not.toContain(PATH);
  const other = await startApp({ site: { portalHost: 'portal.example' } });
  const { statusCode, body } = await other.app.inject(`${PATH}?ref=clinic-7`);
  expect([statusCode, body]).toEqual([404, expect.stringContaining('404 Page Not Found')]);
});
