/** The landing URL's `ref` on its way through the site. */
import { readFileSync } from 'node:fs';
import { ctasOn } from '../helpers/browser/cta-pages.ts';
import { distOf } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, settle, test } from './fixtures.ts';

const REF = 'clinic 7 & more';
const QUERY = `?ref=${encodeURIComponent(REF)}`;
const refOf = (address: string | null) =>
  new URL(address ?? '', 'https://x.example').searchParams.get('ref');

test('the logo keeps it, as soon as the page can be seen', async ({ page, world }) => {
  world.slow.hold(/\.js$/);
  await page.goto(`${world.slow.url}help/${QUERY}&other=1`, { waitUntil: 'domcontentloaded' });
  await page.click('header a:not([data-skip])');
  await page.waitForURL((url) => url.pathname === '/' && url.search === QUERY);
  expect(refOf(page.url())).toBe(REF);
  expect(refOf(await page.getAttribute('[data-cta=hero]', 'href'))).toBe(REF);
  world.slow.release();
});

test.describe('the 404 card', () => {
  test.use({ expectedComplaints: /404 \(Not Found\)/ });

  for (const link of ['header a:not([data-skip])', 'main a']) {
    test(`keeps it on the way back: ${link}`, async ({ page }) => {
      await page.goto(`/no/such/page${QUERY}`);
      await page.click(link);
      await page.waitForURL((url) => url.pathname === '/');
      expect(refOf(page.url())).toBe(REF);
      expect(refOf(await page.getAttribute('[data-cta=hero]', 'href'))).toBe(REF);
    });
  }

  test('keeps it in each of its links, when the browser parses the whole page in one step', async ({
    page,
  }) => {
    const answer = await page.goto(`/no/such/page${QUERY}`);
    await page.evaluate(
      (html) => {
        document.open();
        document.write(html);
        document.close();
      },
      (await answer?.text()) ?? '',
    );
    await page.waitForLoadState('domcontentloaded');
    const links = await page.locator('a:not([data-skip])').all();
    const kept = await Promise.all(
      links.map(async (link) => refOf(await link.getAttribute('href'))),
    );
    expect(kept).toEqual(links.map(() => REF));
    expect(links).not.toEqual([]);
  });

  test('adds nothing where there is none', async ({ page, world }) => {
    await page.goto('/no/such/page?other=1');
    await page.click('main a');
    await page.waitForURL(world.url);
  });
});

test('the logo leads to the plain page where there is none', async ({ page, world }) => {
  await page.goto('/help/?other=1');
  await page.click('header a:not([data-skip])');
  await page.waitForURL(world.url);
});

test('a short link counts as a visit with its code: on the page view, the click and the sign-up link', async ({
  page,
  world,
}) => {
  const hops: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) hops.push(new URL(request.url()).pathname);
  });
  await page.goto('/r/short-link?utm_source=leaflet&gclid=secret');
  expect(hops).toEqual(['/r/short-link', '/']);
  expect(page.url()).toBe(`${world.url}?ref=short-link&utm_source=leaflet`);
  await settle(page);
  expect(refOf(await page.getAttribute('[data-cta=hero]', 'href'))).toBe('short-link');
  await page.click('[data-cta=hero]');
  await capturedEvents(world, '$pageview', 'short-link', 1);
  await capturedEvents(world, 'cta_click', 'short-link', 1);
  await loggedClicks(world, 'short-link', 1);
});

test('where a proxy has removed the inline scripts, the links get it from the state', async ({
  page,
  world,
}) => {
  await page.route(
    (url) => url.pathname === '/',
    async (route) => {
      const html = readFileSync(`${distOf('tracked')}/client/index.html`, 'utf8');
      const body = html.replace(/<script>.*?<\/script>/gs, (script) =>
        script.includes('ctaCapture=') ? '' : script,
      );
      expect(body.length).toBeLessThan(html.length - 1000);
      await route.fulfill({ contentType: 'text/html', body });
    },
  );
  await page.goto(world.url + QUERY);
  const ctas = ctasOn('/').map(({ selector }) => selector);
  for (const link of ['header a[hreflang]', ...ctas]) {
    await expect.poll(async () => refOf(await page.getAttribute(link, 'href'))).toBe(REF);
  }
});
