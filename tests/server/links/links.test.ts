/** Short links. */
import { expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

const CASES = [
  ['/r/clinic-7', '/?ref=clinic-7'],
  ['/r/clinic-7?utm_source=leaflet&utm_medium=a', '/?ref=clinic-7&utm_source=leaflet&utm_medium=a'],
  // Only these parameters pass, as they are, so that the page's view says also what is not kept.
  [
    '/r/clinic-7?gclid=1&utm_term=a%20b&utm_content=x&ref=b&utm_content=y',
    '/?ref=clinic-7&utm_content=x&utm_term=a+b',
  ],
  [`/r/clinic-7?utm_campaign=${'x'.repeat(500)}`, `/?ref=clinic-7&utm_campaign=${'x'.repeat(65)}`],
  // A second query, which a mail tool joined with its signs escaped.
  ['/r/clinic-7%3Ffbclid=abc', '/?ref=clinic-7'],
  ['/r/clinic-7%26utm_source%3Dmail', '/?ref=clinic-7&utm_source=mail'],
  ['/r/clinic-7?fbclid=a?utm_source=mail', '/?ref=clinic-7&utm_source=mail'],
  ['/r/clinic-7*', '/?ref=clinic-7'],
  ['/r/clinic-7%E2%80%A6', '/?ref=clinic-7'],
  ['/r/clinic-7%E3%80%82', '/?ref=clinic-7'],
  // From a message, or typed from paper.
  ['/r/clinic-7/', '/?ref=clinic-7'],
  ['/r/clinic-7.', '/?ref=clinic-7'],
  ['/r/%20clinic-7%0D%0A', '/?ref=clinic-7'],
  ['/r/Klinik%20S%C3%BCd', '/?ref=Klinik+S%C3%BCd'],
  ['/r/a&b#c', '/?ref=a%26b'],
  ['/r/a&ref=b#c', '/?ref=a'],
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
