/** The opt-out in the footer. Afterwards nothing leaves the device, in any tab. */

import type { Page, Request } from '@playwright/test';
import { toggleFilm } from '../helpers/browser/film.ts';
import { awake, settle, started } from '../helpers/browser/page-waits.ts';
import { SITE_HOST } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, posthogFile, test, type World } from './fixtures.ts';

// Chromium reports every request that a test makes fail.
test.use({ expectedComplaints: /ERR_FAILED|503/ });

const CTA = '[data-cta=hero]';
const LOG = '**/api/log-cta*';
const MINUTE_MS = 60_000;

/** Presses the opt-out, whatever its current name is. */
async function toggle(page: Page): Promise<void> {
  const button = page.locator('[data-island=opt-out] button');
  await page.locator('footer').scrollIntoViewIfNeeded();
  const before = await button.textContent();
  await button.click();
  await expect(button).not.toHaveText(before ?? '');
}

/** Collects the URL of every later request that could reveal the visitor: clicks, events, look-ups. */
function watch(page: Page, world: World): string[] {
  const told: string[] = [];
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    const isOwn = world.url.startsWith(origin) || world.slow.url.startsWith(origin);
    if (!isOwn || /^\/(api\/log-cta|k\/)/.test(pathname)) told.push(request.url());
  });
  return told;
}

const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage));

test('nothing leaves any page, until the visitor opts in', async ({ page, world, ref }) => {
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await toggle(page);
  const told = watch(page, world);
  const lookups = world.ipLookup.requests.length;
  const pages = ['/', '/es/help/', '/'];
  for (const path of pages) {
    await page.goto(`${path}?ref=${ref}`);
    await (path === '/' ? settle(page) : started(page));
    const cta = page.locator('[data-cta]').last();
    await cta.hover();
    await cta.focus();
    await cta.click();
  }
  const signUps = () => world.signUps.filter((visit) => visit.includes(ref));
  await expect.poll(signUps).toHaveLength(pages.length);
  expect(told).toEqual([]);
  expect(await stored(page)).toEqual(['counting']);

  await toggle(page);
  await page.click(CTA);
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ event: 'hero_cta_click', ip: '203.0.113.7' });
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
    await settle(tab);
    await tab.click(CTA, { modifiers: ['Control'] });
  }
  await expect.poll(async () => (await stored(page)).length).toBe(2);
  const waiting = await page.evaluate(() => ({ ...localStorage }));
  await toggle(page);
  await expect.poll(() => stored(other)).toEqual(['counting']);
  await context.unroute(LOG);
  const told = watch(other, world);
  await other.evaluate(() => dispatchEvent(new Event('online')));
  await other.clock.runFor(10 * MINUTE_MS);
  await other.click(CTA);
  await other.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));

  // The storage after a crash, before the tab could forget its clicks.
  await page.evaluate((clicks) => Object.assign(localStorage, clicks), waiting);
  const toldLater = watch(page, world);
  await page.reload();
  await settle(page);
  await expect.poll(() => stored(page)).toEqual(['counting']);
  expect([...told, ...toldLater]).toEqual([]);

  await toggle(page);
  await expect.poll(() => stored(other)).toEqual([]);
  await other.click('[data-cta=closing]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.event).toBe('lower_cta_click');
});

test('events that wait for posthog-js are forgotten', async ({ page, world, ref }) => {
  const chunk = new RegExp(posthogFile());
  world.slow.hold(chunk);
  await page.route(chunk, async (route) => {
    const url = route.request().url().replace(SITE_HOST, '127.0.0.1');
    const response = await route.fetch({ url });
    await route.fulfill({ response, body: `${await response.text()};globalThis.hasRun = true;` });
  });
  await page.goto(`${world.slow.url}?ref=${ref}`);
  await awake(page);
  await page.locator('#how-it-works').scrollIntoViewIfNeeded();
  await toggleFilm(page);
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
  await toggle(page);
  world.slow.release();
  await page.waitForFunction(() => 'hasRun' in globalThis);
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.goto('about:blank');
  // Beacons of this page arrive before a later click.
  await page.goto(`/?ref=${ref}-later`);
  await page.click(CTA);
  await capturedEvents(world, 'cta_click', `${ref}-later`, 1);
  for (const event of ['section_viewed', 'video_played', 'web_vital']) {
    await capturedEvents(world, event, ref, 0);
  }
});

test('events to be tried again are forgotten', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  // A page that stays in view sends its events only when posthog-js has loaded.
  await page.click(CTA);
  await page.clock.runFor(MINUTE_MS);
  const sections = () =>
    world.posthog.events.filter(
      ({ event, properties }) => event === 'section_viewed' && properties.referrer === ref,
    );
  await expect.poll(sections).not.toEqual([]);
  const hasFilm = (request: Request) => String(request.postData()).includes('video_played');
  const refused = page.waitForResponse((answer) => hasFilm(answer.request()));
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
  await page.clock.runFor(10 * MINUTE_MS);
  await page.click(CTA);
  // The refused event would arrive before this click's.
  await capturedEvents(world, 'cta_click', ref, 2);
  await capturedEvents(world, 'video_played', ref, 0);
});
