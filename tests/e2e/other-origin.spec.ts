import { API_HOST, PAGES_HOST } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, settle, test } from './fixtures.ts';

const PAGES = `http://${PAGES_HOST}`;

test.use({ build: 'elsewhere', serverEnv: { CORS_ORIGINS: PAGES } });

test('pages on another origin call the API, and nothing else', async ({ page, world }) => {
  const called: string[] = [];
  page.on('request', (request) => {
    const { host, pathname } = new URL(request.url());
    if (/^\/(api|k)\//.test(pathname)) called.push(host);
  });
  const stats = page.waitForResponse(`http://${API_HOST}/api/stats`);
  await page.goto(`${PAGES}/?ref=from-a-cdn`);
  await settle(page);
  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, 'from-a-cdn', 1);
  expect(line?.page_url).toBe(`${PAGES}/?ref=from-a-cdn`);
  await capturedEvents(world, '$pageview', 'from-a-cdn', 1);
  await capturedEvents(world, 'cta_click', 'from-a-cdn', 1);
  expect((await stats).status()).toBe(200);
  expect(new Set(called)).toEqual(new Set([API_HOST]));
});

test.describe('each request is sent with credentials:', () => {
  // Chromium refuses a wildcard origin in the answer to such a request, and names the request's mode.
  const REFUSED = /credentials mode is 'include'/;
  test.use({ expectedComplaints: /credentials mode is 'include'|ERR_FAILED/ });
  test('the counts and the clicks', async ({ page, complaints }) => {
    await page.route(`http://${API_HOST}/api/*`, (route) =>
      route.fulfill({ headers: { 'access-control-allow-origin': '*' }, json: {} }),
    );
    await page.goto(`${PAGES}/?ref=with-credentials`);
    await settle(page);
    await page.click('[data-cta=hero]');
    for (const path of ['/api/stats', '/api/log-cta']) {
      const refused = () => complaints.filter((text) => text.includes(path) && REFUSED.test(text));
      await expect.poll(refused).not.toEqual([]);
    }
  });
});

test('a tab that closes at once leaves its click there', async ({ page, world }) => {
  await page.goto(`${PAGES}/?ref=closed-at-once`);
  await page.click('[data-cta=hero]');
  await page.close();
  await loggedClicks(world, 'closed-at-once', 1);
});

test.describe('without script', () => {
  // Chromium blocks the answer to a ping, which no code reads.
  test.use({ javaScriptEnabled: false, expectedComplaints: /NotSameOrigin .*\/api\/log-cta/ });
  test('the ping of the link counts', async ({ page, world }) => {
    await page.goto(`${PAGES}/?ref=scriptless`);
    await page.click('[data-cta=closing]');
    await loggedClicks(world, 'scriptless', 1);
  });
});
