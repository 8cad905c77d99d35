/** The opt-out in the footer. Afterwards nothing leaves the device, in any tab. */

import type { Page } from '@playwright/test';
import { toggleFilm } from '../helpers/browser/film.ts';
import { islandsInViewReady, moduleRan } from '../helpers/browser/page-waits.ts';
import { capturedEvents, expect, loggedClicks, test, type World } from './fixtures.ts';

// Chromium reports every request that a test makes fail.
test.use({ expectedComplaints: /ERR_FAILED|503/ });

const CTA = '[data-cta=hero]';
const LOG = '**/api/log-cta*';
const MINUTE_MS = 60_000;

async function toggle(page: Page): Promise<void> {
  await page.locator('footer').scrollIntoViewIfNeeded();
  await page.locator('#opt-out button').click();
}

/**
 * Collects the URL of every later request that could reveal the visitor: clicks, events, look-ups.
 */
function watch(page: Page, world: World): string[] {
  const told: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    const isOwn = world.url.startsWith(origin) || world.slow.url.startsWith(origin);
    if (!isOwn || /^\/(api\/log-cta|k\/)/.test(pathname)) told.push(request.url());
  });
  return told;
}

const namesOf = (world: World, ref: string) =>
  world.posthog.events
    .filter(({ properties }) => properties.referrer === ref)
    .map(({ event }) => event);

const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage));

test('nothing leaves any page, until the visitor opts in', async ({ page, world, ref }) => {
  await page.goto(`/?ref=${ref}`);
  await islandsInViewReady(page);
  await toggle(page);
  const told = watch(page, world);
  const lookups = world.ipLookup.requests.length;
  // A tab that crashed may leave a click behind.
  await page.evaluate(() =>
    Object.assign(localStorage, { 'click:left': '{}', 'clicks-dropped': 2 }),
  );
  const pages = ['/es/help/', '/'];
  for (const path of pages) {
    await page.goto(`${path}?ref=${ref}`);
    await (path === '/' ? islandsInViewReady(page) : moduleRan(page));
    await page.locator('[data-cta]').last().click();
  }
  const signUps = () => world.signUps.filter((visit) => visit.includes(ref));
  await expect.poll(signUps).toHaveLength(pages.length);
  expect(told).toEqual([]);
  expect(await stored(page)).toEqual(['counting']);

  await toggle(page);
  // The look-up begins with the pointer. The click waits only 300 ms for it.
  const lookup = page.waitForResponse(/lookup/);
  await page.hover(CTA);
  await lookup;
  await page.click(CTA);
  const [line] = await loggedClicks(world, ref, 1);
  // The first number: the clicks before it are not counted, and a gap would mean a loss.
  expect(line).toMatchObject({ event: 'hero_cta_click', ip: '203.0.113.7', seq: 1 });
  const [event] = await capturedEvents(world, 'cta_click', ref, 1);
  expect(event?.uuid).toBe(line?.id);
  expect(world.ipLookup.requests).toHaveLength(lookups + 1);
  expect(await stored(page)).toEqual([]);
});

test('waiting clicks are forgotten, in every tab', async ({ page, context, world, ref }) => {
  await context.route(LOG, (route) => route.abort());
  const other = await context.newPage();
  await other.clock.install();
  for (const tab of [other, page]) {
    await tab.goto(`/?ref=${ref}`);
    await islandsInViewReady(tab);
    await tab.click(CTA, { modifiers: ['Control'] });
  }
  await expect.poll(async () => (await stored(page)).length).toBe(2);
  await toggle(page);
  await expect.poll(() => stored(other)).toEqual(['counting']);
  await context.unroute(LOG);
  const told = watch(other, world);
  await other.evaluate(() => dispatchEvent(new Event('online')));
  await other.clock.runFor(10 * MINUTE_MS);
  await other.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  expect(told).toEqual([]);

  await toggle(page);
  await expect.poll(() => stored(other)).toEqual([]);
  await other.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  await other.click('[data-cta=closing]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.event).toBe('lower_cta_click');
});

test('events to be tried again are forgotten', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await islandsInViewReady(page);
  // A page that stays in view sends its events only when posthog-js has loaded.
  await page.click(CTA);
  await page.clock.runFor(MINUTE_MS);
  await expect.poll(() => namesOf(world, ref)).toContain('section_viewed');
  const refused = page.waitForResponse((answer) =>
    String(answer.request().postData()).includes('video_played'),
  );
  await page.route('**/k/e/*', (route) => route.fulfill({ status: 503 }));
  await toggleFilm(page);
  await refused;
  await toggle(page);
  await page.unroute('**/k/e/*');
  const told = watch(page, world);
  await page.clock.runFor(10 * MINUTE_MS);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  expect(told).toEqual([]);
  await toggle(page);
  await page.click(CTA);
  // The refused event would arrive before this click's.
  await capturedEvents(world, 'cta_click', ref, 2);
  expect(namesOf(world, ref)).not.toContain('video_played');
});
