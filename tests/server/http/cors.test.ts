import { expect, test } from 'vitest';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const CDN = 'https://cdn.site.example';
const env = { CORS_ORIGINS: `https://www.site.example, ${CDN}`, RATE_LIMIT_CLICKS: '2' };
type Site = Awaited<ReturnType<typeof startApp>>;

const click = (site: Site, headers: Record<string, string>) =>
  site.app.inject({
    method: 'POST',
    url: '/api/log-cta',
    payload: makeBody(),
    headers: { 'sec-fetch-site': 'cross-site', ...headers },
  });

test('a page of an origin on the list may click, with credentials', async () => {
  const site = await startApp({ env });
  const answer = await click(site, { origin: CDN });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers).toMatchObject({
    'access-control-allow-origin': CDN,
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
    'cross-origin-resource-policy': 'cross-origin',
  });
});

test('it may read the error and Retry-After of a refusal', async () => {
  const site = await startApp({ env });
  for (let n = 0; n < 2; n += 1) await click(site, { origin: CDN });
  const limited = await click(site, { origin: CDN });
  expect(limited.statusCode).toBe(429);
  expect(limited.headers).toMatchObject({
    'access-control-allow-origin': CDN,
    'access-control-expose-headers': 'retry-after, date, error-code',
    'cross-origin-resource-policy': 'cross-origin',
  });
});

test('its preflight gets the allowed methods and headers', async () => {
  const site = await startApp({ env });
  for (const url of ['/api/log-cta', '/api/register', '/k/e/']) {
    const answer = await site.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: CDN,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(answer.statusCode).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': CDN,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type',
    });
  }
});

test('a link’s ping counts if Ping-From has an allowed origin', async () => {
  const site = await startApp({ env });
  const ping = (page: string) =>
    site.app.inject({
      method: 'POST',
      url: '/api/log-cta?event=hero_cta_click',
      payload: 'PING',
      headers: {
        'content-type': 'text/ping',
        'ping-from': page,
        origin: 'null',
        'sec-fetch-site': 'cross-site',
      },
    });
  expect((await ping(`${CDN}/?ref=clinic-7`)).statusCode).toBe(200);
  expect((await ping('https://elsewhere.example/')).statusCode).toBe(403);
  expect(site.lines()).toMatchObject([{ via: 'ping', referrer: 'clinic-7' }]);
});

test.each([['https://elsewhere.example'], ['https://cdn.site.example.evil.example'], ['null']])(
  'a page of %s may not',
  async (origin) => {
    const site = await startApp({ env });
    const answer = await click(site, { origin });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(site.lines()).toEqual([]);
  },
);

test('pages and files are the same for every origin', async () => {
  const site = await startApp({ env });
  for (const url of ['/', '/assets/app.3Hrwr8nA.js']) {
    const answer = await site.app.inject({ url, headers: { origin: CDN } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(String(answer.headers.vary)).not.toMatch(/origin/i);
  }
});

test('without a list no other origin is allowed, and no answer has CORS headers', async () => {
  const site = await startApp();
  expect((await click(site, { origin: CDN })).statusCode).toBe(403);
  const stats = await site.app.inject({ url: '/api/stats', headers: { origin: CDN } });
  expect(stats.headers).not.toHaveProperty('access-control-allow-origin');
  expect(stats.headers).not.toHaveProperty('vary');
});
