import { describe, expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

/** Follows one redirect. @returns the address that the visitor's browser opens next */
async function targetOf({ app }: Site, url: string) {
  const { statusCode, headers } = await app.inject(url);
  expect(statusCode).toBe(302);
  return new URL(String(headers.location), 'https://site.example');
}

describe('a short link', () => {
  test.each([
    ['/r/clinic-7', '/?ref=clinic-7'],
    [
      '/r/clinic-7?utm_source=leaflet&utm_medium=print',
      '/?ref=clinic-7&utm_source=leaflet&utm_medium=print',
    ],
    // Only these parameters pass, and only with values of their form.
    [
      '/r/clinic-7?gclid=1&utm_term=a%20b&utm_content=x&ref=other&utm_content=y',
      '/?ref=clinic-7&utm_content=x',
    ],
    [`/r/clinic-7?utm_campaign=${'x'.repeat(65)}`, '/?ref=clinic-7'],
    // From a message, or typed from paper.
    ['/r/clinic-7/', '/?ref=clinic-7'],
    ['/r/clinic-7.', '/?ref=clinic-7'],
    ['/r/%20clinic-7%0D%0A', '/?ref=clinic-7'],
    ['/r/Klinik%20S%C3%BCd', '/?ref=Klinik+S%C3%BCd'],
    ['/r/a&ref=b#c', '/?ref=a%26ref%3Db'],
    ['/R/CLINIC-7', '/?ref=CLINIC-7'],
    ['/es/r/clinic-7?utm_source=leaflet', '/es/?ref=clinic-7&utm_source=leaflet'],
    ['/ES/R/CLINIC-7', '/es/?ref=CLINIC-7'],
    ['/es/r', '/es/'],
    ['/r/', '/'],
    ['/r', '/'],
    ['/R?utm_source=leaflet', '/?utm_source=leaflet'],
    ['/r/?utm_source=leaflet', '/?utm_source=leaflet'],
    [`/r/${'c'.repeat(500)}`, `/?ref=${'c'.repeat(128)}`],
  ])('%s leads to %s', async (url, landing) => {
    const { app } = await startApp();
    const { statusCode, headers } = await app.inject(url);
    expect({ statusCode, location: headers.location }).toEqual({
      statusCode: 302,
      location: landing,
    });
  });

  test.each([
    '/r//evil.example',
    '/r/https://evil.example',
    '/r/%2f%2fevil.example',
    '/r/..%2fevil',
    '/r/%5cevil.example',
    '/r/@evil.example',
  ])('%s stays on this site', async (url) => {
    const target = await targetOf(await startApp(), url);
    expect(target.origin + target.pathname).toBe('https://site.example/');
    expect(target.searchParams.get('ref')).toBeTruthy();
  });

  test('answers HEAD with the same address, and no method that writes', async () => {
    const { app } = await startApp();
    const head = await app.inject({ method: 'HEAD', url: '/r/clinic-7' });
    expect(head.statusCode).toBe(302);
    expect(head.headers.location).toBe('/?ref=clinic-7');
    expect((await app.inject({ method: 'POST', url: '/r/clinic-7' })).statusCode).toBe(404);
  });

  test('has the headers of a page, and no browser or proxy stores it', async () => {
    const { app } = await startApp();
    const own = [
      'connection',
      'content-length',
      'content-type',
      'date',
      'etag',
      'accept-ranges',
      'last-modified',
      'cache-control',
      'location',
      'keep-alive',
    ];
    const securityOf = async (url: string, from: string) => {
      const { headers } = await app.inject({ url, headers: { 'sec-fetch-site': from } });
      return Object.fromEntries(
        Object.entries(headers).filter(
          ([name]) => !own.includes(name) && !name.includes('ratelimit'),
        ),
      );
    };
    for (const from of ['none', 'cross-site']) {
      const page = await securityOf('/help/', from);
      expect(Object.keys(page).length).toBeGreaterThan(6);
      expect(await securityOf('/r/clinic-7', from)).toEqual(page);
    }
    expect((await app.inject('/r/clinic-7')).headers['cache-control']).toBe('no-store');
  });
});
