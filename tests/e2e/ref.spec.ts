/** §2: the `ref` and the campaign of the landing URL, on their way through the site to the portal and to the log. */

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { started } from '../helpers/browser/page-waits.ts';
import {
  COUNTED_PAGES,
  LANDING_CTAS,
  MISSING_COMPLAINT,
  missingIn,
} from '../helpers/browser/site-pages.ts';
import { distOf } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

test.use({ expectedComplaints: MISSING_COMPLAINT });

const REF = 'clinic 7 & more';
const QUERY = `?ref=${encodeURIComponent(REF)}`;
const LOGO = 'header a:not([data-skip])';
const refOf = (address: string | null) =>
  new URL(address ?? '', 'https://x.example').searchParams.get('ref');

/** The queries of the page's links: to other pages of the site, and to the portal. */
const queriesOf = (page: Page) =>
  page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href]')];
    const isPage = ({ origin, pathname }: HTMLAnchorElement) =>
      origin === location.origin && pathname.endsWith('/');
    const other = links.filter((link) => isPage(link) && !link.getAttribute('href')?.includes('#'));
    const portal = links.filter((link) => link.dataset.cta);
    const queries = (list: HTMLAnchorElement[]) => [...new Set(list.map(({ search }) => search))];
    return { site: queries(other), portal: queries(portal) };
  });

test('every link of the site carries the ref', async ({ page }) => {
  const kept = '?ref=clinic%207&utm_source=leaflet&utm_content=a';
  const portal = '?invitation_code=SMADRIVE&ref=clinic+7';
  for (const path of [...COUNTED_PAGES, missingIn('en'), missingIn('es')]) {
    await page.goto(`${path}${kept}&gclid=secret`, { waitUntil: 'domcontentloaded' });
    const toPortal = COUNTED_PAGES.includes(path) ? [portal] : [];
    expect([path, await queriesOf(page)]).toEqual([path, { site: [kept], portal: toPortal }]);
  }
});

test('the logo keeps it before the script, and alone', async ({ page, world }) => {
  world.slow.hold(/\.js$/);
  await page.goto(`${world.slow.url}help/${QUERY}&other=1`, { waitUntil: 'domcontentloaded' });
  await page.click(LOGO);
  await page.waitForURL((url) => url.pathname === '/' && url.search === QUERY, {
    waitUntil: 'commit',
  });
  expect(refOf(await page.getAttribute('[data-cta=hero]', 'href'))).toBe(REF);
  world.slow.release();
  // Where there is none, nothing is added.
  for (const [path, link] of [
    ['/help/', LOGO],
    [missingIn('en'), 'main a'],
  ] as const) {
    await page.goto(`${path}?other=1`);
    await page.click(link);
    await page.waitForURL(world.url);
  }
});

test('a short link is a visit with its code', async ({ page, world, ref }) => {
  const hops: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) hops.push(new URL(request.url()).pathname);
  });
  await page.goto(`/r/${ref}?utm_source=leaflet&gclid=secret`);
  expect(hops).toEqual([`/r/${ref}`, '/']);
  expect(page.url()).toBe(`${world.url}?ref=${ref}&utm_source=leaflet`);
  await started(page);
  expect(refOf(await page.getAttribute('[data-cta=hero]', 'href'))).toBe(ref);
  await page.click('[data-cta=hero]');
  await capturedEvents(world, '$pageview', ref, 1);
  await capturedEvents(world, 'cta_click', ref, 1);
  await loggedClicks(world, ref, 1);
});

test('without inline scripts the links get it later', async ({ page, world }) => {
  const html = readFileSync(`${distOf('tracked')}/client/index.html`, 'utf8');
  const body = html.replace(/<script>.*?<\/script>/gs, (script) =>
    script.includes('ctaCapture=') ? '' : script,
  );
  expect(body.length).toBeLessThan(html.length - 1000);
  await page.route(
    (url) => url.pathname === '/',
    (route) => route.fulfill({ contentType: 'text/html', body }),
  );
  await page.goto(world.url + QUERY);
  for (const link of ['header a[hreflang]', ...LANDING_CTAS]) {
    await expect.poll(async () => refOf(await page.getAttribute(link, 'href'))).toBe(REF);
  }
});

test('the other language keeps the section and the ref', async ({ page }) => {
  for (const [from, link, to] of [
    ['/?ref=clinic-7#how-it-works', 'footer a[href="#benefits"]', '/es/?ref=clinic-7#benefits'],
    ['/help/questions/?ref=clinic-7#cost', '', '/es/help/questions/?ref=clinic-7#cost'],
  ] as const) {
    await page.goto(from);
    await started(page);
    if (link) await page.locator(link).click();
    await page.click('a[hreflang=es]');
    await page.waitForURL(to);
    await expect(page.locator(to.replace(/.*#/, '#'))).toBeInViewport();
  }
});

test('a visit of four pages keeps the ref and the campaign', async ({ page, world, ref }) => {
  const paths = ['/', '/help/privacy/', '/es/help/privacy/', '/es/'];
  const links = ['main a[href*="/help/privacy/"]', 'a[hreflang=es]', LOGO];
  await page.goto(`/?ref=${ref}&utm_source=leaflet`);
  for (const [i, link] of links.entries()) {
    await page.locator(link).first().click();
    await page.waitForURL((url) => url.pathname === paths[i + 1]);
  }
  await started(page);
  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ campaign: { utm_source: 'leaflet' } });
  const views = await capturedEvents(world, '$pageview', ref, paths.length);
  expect(views.map(({ properties }) => properties.$pathname)).toEqual(paths);
  for (const { properties } of views) expect(properties.utm_source).toBe('leaflet');
  // The site's own table has the same visits.
  const columns = 'page, utm_source, screen_class, is_bot';
  const rows = world.site.rows(
    `SELECT ${columns} FROM visits WHERE referrer = ? ORDER BY viewed_at`,
    ref,
  );
  const visit = { utm_source: 'leaflet', screen_class: 'large', is_bot: 0 };
  expect(rows).toEqual(paths.map((path) => ({ page: path, ...visit })));
});
