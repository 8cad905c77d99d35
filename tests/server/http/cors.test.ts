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
