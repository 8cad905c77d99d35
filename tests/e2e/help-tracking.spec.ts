/** Visits and clicks on every page: the `ref` and the campaign on their way, page views, and clicks on the help pages. */
import type { Page } from '@playwright/test';
import { COUNTED_PAGES } from '../helpers/browser/site-pages.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

test.use({
  expectedComplaints: /404 \(Not Found\)|Failed to load resource|ERR_/,
});

const HELP = '/help/privacy/';
const CTA = '[data-cta=help]';
const started = (page: Page) => page.waitForFunction(() => window.ctaCapture?.onClick);

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

test('every link within the site carries the ref and the campaign, the link to the portal only the ref', async ({
  page,
}) => {
  const kept = '?ref=clinic%207&utm_source=leaflet&utm_content=a';
  const search = `${kept}&gclid=secret`;
  const portal = '?invitation_code=SMADRIVE&ref=clinic+7';
  for (const path of COUNTED_PAGES) {
    await page.goto(path + search, { waitUntil: 'domcontentloaded' });
    expect([path, await queriesOf(page)]).toEqual([path, { site: [kept], portal: [portal] }]);
  }
  for (const path of ['/no/such/page', '/es/no/such/page']) {
    await page.goto(path + search, { waitUntil: 'domcontentloaded' });
    expect([path, await queriesOf(page)]).toEqual([path, { site: [kept], portal: [] }]);
  }
});

test('a visitor who reads a help page in Spanish first is one visit per page, all with the ref and the campaign', async ({
  page,
  world,
}) => {
  const ref = 'reads-first';
  const paths = ['/', HELP, `/es${HELP}`, '/es/'];
  await page.goto(`/?ref=${ref}&utm_source=leaflet`);
  await page.getByRole('link', { name: 'See what this page counts' }).click();
  await page.waitForURL((url) => url.pathname === paths[1]);
  await page.click('a[hreflang=es]');
  await page.waitForURL((url) => url.pathname === paths[2]);
  await page.click('header a:not([data-skip])');
  await page.waitForURL((url) => url.pathname === paths[3]);
  await started(page);
  await page.click('[data-cta=hero]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ campaign: { utm_source: 'leaflet' } });
  const views = await capturedEvents(world, '$pageview', ref, paths.length);
  expect(views.map(({ properties }) => properties.$pathname)).toEqual(paths);
  for (const { properties } of views) expect(properties.utm_source).toBe('leaflet');
});

test('a page view of a help page that fails at first is sent once more', async ({
  page,
  world,
}) => {
  await page.route('**/k/e/', (route) => route.fulfill({ status: 503 }), { times: 1 });
  await page.goto(`${HELP}?ref=view-again`);
  const [view] = await capturedEvents(world, '$pageview', 'view-again', 1);
  expect(view?.properties.$pathname).toBe(HELP);
});

test('a click on a help page is confirmed there, and the server sends it to PostHog, once', async ({
  page,
  world,
}) => {
  const ref = 'help-click';
  await page.goto(`${HELP}?ref=${ref}`);
  await started(page);
  await page.hover(CTA);
  await page.click(CTA);
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ event: 'help_cta_click', via: 'fetch', ip: '203.0.113.7' });
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  const [event] = await capturedEvents(world, 'cta_click', ref, 1);
  expect(event?.uuid).toBe(line?.id);
  expect(event?.properties).toMatchObject({ label: 'help_button', $pathname: HELP });
});

test('a click that no server takes is delivered by the next help page', async ({ page, world }) => {
  const ref = 'help-later';
  await page.goto(`${HELP}?ref=${ref}`);
  await started(page);
  await world.site.stop();
  await page.click(CTA);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).length)).toBe(1);
  await page.goto('about:blank');
  await world.site.start();
  await page.goto('/es/help/?ref=another');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ event: 'help_cta_click', via: 'fetch' });
});

test('a click before the module has loaded is a beacon, and counts once when it loads later', async ({
  page,
  world,
}) => {
  const ref = 'help-early';
  world.slow.hold(/\.js$/);
  await page.goto(`${world.slow.url}help/?ref=${ref}`, { waitUntil: 'domcontentloaded' });
  await page.click(CTA);
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.via).toBe('beacon');
  world.slow.release();
  await started(page);
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  await loggedClicks(world, ref, 1);
});
