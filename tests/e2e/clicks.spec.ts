/**
 * §2, §3, §7: each call to action: every way to follow its link is one line in the log and one
 * event at PostHog, both with the ref, which the page's links carry through the site and to the
 * portal.
 */

import type { Page } from '@playwright/test';
import { CTAS, type CtaName } from '#contract/cta.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { NEWER_APIS, removeApis } from '../helpers/browser/old-browser.ts';
import { allAwake, moduleRan } from '../helpers/browser/page-waits.ts';
import { CTA_PATHS, MISSING_COMPLAINT, missingIn } from '../helpers/browser/site-pages.ts';
import { LOOKUP_HOST } from '../helpers/run/build-sites.ts';
import { capturedEvents, expect, loggedClicks, newClicks, test, WITH_MOTION } from './fixtures.ts';

test.use({ ...WITH_MOTION, expectedComplaints: MISSING_COMPLAINT });

const HERO = '[data-cta=hero]';

const WAYS: Record<string, (page: Page, selector: string) => Promise<void>> = {
  'the mouse': (page, selector) => page.click(selector),
  'the middle button': (page, selector) => page.click(selector, { button: 'middle' }),
  'Ctrl and click': (page, selector) => page.click(selector, { modifiers: ['Control'] }),
  Enter: (page, selector) => page.press(selector, 'Enter'),
};

/**
 * Each way, each call to action and each language, by pairs. A new call to action is pressed
 * without a new row.
 */
const ROWS = (Object.keys(CTAS) as CtaName[]).flatMap((cta, i) => [
  { cta, path: CTA_PATHS[cta], way: Object.keys(WAYS)[(2 * i) % 4] ?? '' },
  { cta, path: `/es${CTA_PATHS[cta]}`, way: Object.keys(WAYS)[(2 * i + 1) % 4] ?? '' },
]);

for (const { cta, path, way } of ROWS) {
  test(`§7: ${cta} on ${path} by ${way} counts once`, async ({ page, world, ref }) => {
    const { event, label } = CTAS[cta];
    await page.goto(`${path}?ref=${ref}`);
    await moduleRan(page);
    await page.click(`[data-cta=${cta}]`, { button: 'right' });
    await WAYS[way]?.(page, `[data-cta=${cta}]`);
    const [line] = await loggedClicks(world, ref, 1);
    expect(line).toMatchObject({
      event,
      referrer: ref,
      page_url: new URL(`${path}?ref=${ref}`, world.url).href,
      is_mobile: false,
      user_agent: await page.evaluate(() => navigator.userAgent),
      via: 'fetch',
    });
    const [captured] = await capturedEvents(world, 'cta_click', ref, 1);
    expect(captured?.uuid).toBe(line?.id);
    expect(captured?.properties).toMatchObject({
      category: 'CTA',
      label,
      value: 1,
      event_id: line?.id,
      $session_id: line?.visit_id,
      $pathname: path,
    });
    await expect
      .poll(() => world.signUps.filter((visit) => visit.includes(ref)))
      .toEqual([`/create-account?invitation_code=SMADRIVE&ref=${ref}`]);
    await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  });
}

/** tests/server/report/sources.test.ts has more. */
const REFS: Record<string, string | null> = {
  '': null,
  [`?ref=${encodeURIComponent('"><script>alert(1)</script>')}`]: '"><script>alert(1)</script>',
  '?ref=a%0D%0A%7B%22b%22%3A1%7D&ref=two': 'a{"b":1}',
  [`?ref=${'x'.repeat(10_240)}`]: 'x'.repeat(128),
};

test('§3: without a ref the log has null, and a hostile one breaks nothing', async ({
  page,
  world,
}) => {
  for (const [query, ref] of Object.entries(REFS)) {
    const [before, visits] = [world.site.lines().length, world.signUps.length];
    await page.goto(`/${query}`);
    await page.click(HERO);
    const [line] = await newClicks(world, before, 1);
    expect(line?.referrer).toBe(ref);
    await expect.poll(() => world.signUps.length).toBe(visits + 1);
    const address = new URL(world.signUps.at(-1) ?? '', 'https://portal.example');
    expect(address.searchParams.getAll('ref')).toEqual(ref === null ? [] : [ref]);
    expect(address.searchParams.get('invitation_code')).toBe('SMADRIVE');
  }
});

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

test('§2: every link of the site carries the ref and the campaign', async ({ page }) => {
  const kept = '?ref=clinic%207&utm_source=leaflet&utm_content=a';
  for (const [path, portal] of [
    ['/', ['?invitation_code=SMADRIVE&ref=clinic+7']],
    ['/es/help/privacy/', ['?invitation_code=SMADRIVE&ref=clinic+7']],
    [missingIn('es'), []],
  ] as const) {
    await page.goto(`${path}${kept}&gclid=secret`, { waitUntil: 'domcontentloaded' });
    expect([path, await queriesOf(page)]).toEqual([path, { site: [kept], portal }]);
  }
});

test('§2: a visit by a short link, over three pages, keeps the ref and the campaign', async ({
  page,
  world,
  ref,
}) => {
  const toPrivacy = () => page.locator('main a[href*="/help/privacy/"]').first().click();
  await page.goto(`/r/${ref}?utm_source=leaflet&gclid=secret`);
  expect(page.url()).toBe(`${world.url}?ref=${ref}&utm_source=leaflet`);
  // A reload and a return show the first page again, and begin no visit.
  await page.reload();
  await toPrivacy();
  await page.waitForURL(/\/help\/privacy\//);
  await page.goBack();
  await toPrivacy();
  await page.waitForURL(/\/help\/privacy\//);
  await moduleRan(page);
  await page.locator('a[href="#stop"]').first().click();
  await page.click('a[hreflang=es]');
  await page.waitForURL(`**/es/help/privacy/?ref=${ref}&utm_source=leaflet#stop`);
  await expect(page.locator('#stop')).toBeInViewport();
  await page.click('[data-cta=help]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ campaign: { utm_source: 'leaflet' } });
  const paths = ['/', '/', '/help/privacy/', '/', '/help/privacy/', '/es/help/privacy/'];
  const views = await capturedEvents(world, '$pageview', ref, paths.length);
  expect(views.map(({ properties }) => properties.$pathname)).toEqual(paths);
  for (const { properties } of views) expect(properties.utm_source).toBe('leaflet');
  // The site's own table has the same views. All of them are one visit.
  const own = `SELECT page, is_first, COUNT(*) AS n FROM visits
    WHERE referrer = ? AND utm_source = 'leaflet' AND screen_class = 'large' AND NOT is_bot
    GROUP BY page, is_first ORDER BY is_first DESC, page DESC`;
  expect(world.site.rows(own, ref)).toEqual([
    { page: '/', is_first: 1, n: 1 },
    { page: '/help/privacy/', is_first: 0, n: 2 },
    { page: '/es/help/privacy/', is_first: 0, n: 1 },
    { page: '/', is_first: 0, n: 2 },
  ]);
});

test('T0: without a portal the button opens a stand-in', async ({ page, ref }) => {
  await page.goto(`/es/?ref=${ref}`);
  const opened = page.waitForEvent('popup');
  await page.click(HERO);
  const standIn = await opened;
  await expect(standIn.getByText('Código de invitación: SMADRIVE')).toBeVisible();
  await expect(standIn.getByText(ref)).toBeVisible();
  await expect(standIn.locator('html')).toHaveAttribute('lang', 'es');
  expect(await axeComplaints(standIn)).toEqual([]);
});

/**
 * The oldest browsers of docs/architecture.md, simulated by a Chromium without the APIs that they
 * lack.
 */
test('without all newer APIs the page works', async ({ page, world, ref }) => {
  await removeApis(page, NEWER_APIS);
  await page.addInitScript(() => {
    const types = ['mark', 'measure', 'navigation', 'paint', 'resource'];
    Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { get: () => types });
  });
  await page.goto(`/?ref=${ref}`);
  await allAwake(page);
  await toggleFilm(page);
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
  const optOut = page.locator('#opt-out button');
  for (const stored of ['off', null]) {
    await optOut.click();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('counting'))).toBe(stored);
  }
  await page.keyboard.press('Escape');
  // The look-up begins with the pointer. The click waits only 300 ms for it.
  const lookup = page.waitForEvent('requestfinished', (one) => one.url().includes(LOOKUP_HOST));
  await page.hover('[data-cta=closing]');
  await lookup;
  await page.click('[data-cta=closing]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ via: 'fetch', ip: '203.0.113.7' });
  await capturedEvents(world, 'cta_click', ref, 1);
});
