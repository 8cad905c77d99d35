/** The opt-out in the footer. Afterwards nothing leaves the device, in any tab. */

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { toggleFilm } from '../helpers/browser/film.ts';
import { awake, settle, started } from '../helpers/browser/page-waits.ts';
import { distOf } from './build-sites.ts';
import { capturedEvents, expect, loggedClicks, test, type World } from './fixtures.ts';

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

test('nothing leaves any more, until the visitor opts in', async ({ page, world, ref }) => {
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await toggle(page);
  const told = watch(page, world);
  const lookups = world.ipLookup.requests.length;
  const pressAll = async () => {
    for (const cta of [CTA, '[data-cta=closing]']) {
      await page.hover(cta);
      await page.focus(cta);
      await page.click(cta);
    }
  };
  await pressAll();
  await page.reload();
  await settle(page);
  await pressAll();
  const signUps = () => world.signUps.filter((visit) => visit.includes(ref));
  await expect.poll(signUps).toHaveLength(4);
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

test('clicks that wait are forgotten', async ({ page, world, ref }) => {
  await page.route(LOG, (route) => route.abort());
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await page.click(CTA);
  await page.click(CTA);
  await expect.poll(async () => (await stored(page)).length).toBe(2);
  await toggle(page);
  expect(await stored(page)).toEqual(['counting']);
  await toggle(page);
  await page.click(CTA);
  await expect.poll(async () => (await stored(page)).length).toBe(1);
  // The storage of a tab that crashed between the two.
  await page.evaluate(() => localStorage.setItem('counting', 'off'));
  await page.goto('about:blank');
  await page.unroute(LOG);
  const told = watch(page, world);
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await expect.poll(() => stored(page)).toEqual(['counting']);
  expect(told).toEqual([]);
  await toggle(page);
  await page.click('[data-cta=closing]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.event).toBe('lower_cta_click');
});

test('events that wait for posthog-js are forgotten', async ({ page, world, ref }) => {
  const posthog = globSync(`${distOf('tracked')}/client/assets/**/*.js`).filter((file) =>
    readFileSync(file, 'utf8').includes('You have already initialized PostHog'),
  );
  expect(posthog).toHaveLength(1);
  world.slow.hold(new RegExp(basename(posthog[0] ?? '')));
  await page.goto(`${world.slow.url}?ref=${ref}`);
  await awake(page);
  await page.locator('#how-it-works').scrollIntoViewIfNeeded();
  await toggleFilm(page);
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
  await toggle(page);
  world.slow.release();
  await page.waitForLoadState('networkidle');
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
  const refused = page.waitForResponse(
    (answer) => answer.status() === 503 && hasFilm(answer.request()),
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
  await page.clock.runFor(10 * MINUTE_MS);
  await page.click(CTA);
  // The refused event would arrive before this click's.
  await capturedEvents(world, 'cta_click', ref, 2);
  await capturedEvents(world, 'video_played', ref, 0);
});

const hasFilm = (request: Request): boolean => String(request.postData()).includes('video_played');

test('every other tab follows', async ({ page, context, world, ref }) => {
  const other = await context.newPage();
  await other.clock.install();
  await other.goto(`/?ref=${ref}`);
  await settle(other);
  await context.route(LOG, (route) => route.abort());
  await other.click(CTA);
  await expect.poll(async () => (await stored(other)).length).toBe(1);

  await page.goto('/?ref=this-tab');
  await settle(page);
  await toggle(page);
  await expect.poll(() => stored(other)).toEqual(['counting']);
  await context.unroute(LOG);
  const told = watch(other, world);
  await other.evaluate(() => dispatchEvent(new Event('online')));
  await other.clock.runFor(10 * MINUTE_MS);
  await other.click(CTA);
  await other.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  expect(told).toEqual([]);

  await toggle(page);
  await expect.poll(() => stored(other)).toEqual([]);
  await other.click('[data-cta=closing]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.event).toBe('lower_cta_click');
});

test('it holds on the help pages too', async ({ page, world, ref }) => {
  await page.goto('/');
  await settle(page);
  await toggle(page);
  const told = watch(page, world);
  await page.goto(`/es/help/?ref=${ref}`);
  await started(page);
  await page.click('[data-cta=help]');
  await expect.poll(() => world.signUps.filter((visit) => visit.includes(ref))).toHaveLength(1);
  expect(told).toEqual([]);
  expect(await stored(page)).toEqual(['counting']);
});
