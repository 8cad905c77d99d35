/**
 * §7: the events of the tracking plan at PostHog's side: each once, with the visit's properties,
 * with and without posthog-js.
 */

import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { VISIT_PROPERTIES } from '../../server/posthog/visit-properties.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { allAwake, islandsInViewReady } from '../helpers/browser/page-waits.ts';
import { distOf } from '../helpers/run/build-sites.ts';
import { capturedEvents, expect, loggedClicks, test, visitPart, type World } from './fixtures.ts';

// Chromium's messages about requests that a test blocks.
test.use({ expectedComplaints: /ERR_|503|inspector/ });

const CTA = '[data-cta=hero]';
const UTM = {
  utm_source: 'cure-sma',
  utm_medium: 'email',
  utm_campaign: 'spring.2026',
  utm_content: 'button-top',
  utm_term: 'sma_registry',
};
/** Never leave the page: click ids, values that may name a person, and unknown parameters. */
const PLANTED = { gclid: 'planted-gclid', fbclid: 'planted-fbclid', token: 'planted-token' };

const eventsOf = (world: World, ref: string) =>
  world.posthog.merged().filter(({ properties }) => properties.referrer === ref);
const sectionsOf = (world: World, ref: string) =>
  eventsOf(world, ref).flatMap(({ properties }) => (properties.section as string) ?? []);

/** Shows a section, and waits until the browser has called its observers. */
const show = (page: Page, id: string) =>
  page.evaluate(async (name) => {
    const target = document.getElementById(name) as Element;
    target.scrollIntoView({ behavior: 'instant' });
    await new Promise((resolve) => {
      new IntersectionObserver(([entry]) => entry?.isIntersecting && resolve(null)).observe(target);
    });
  }, id);

/**
 * Blocks posthog-js, as content blockers do. Not by a route, which would also stop a leaving page's
 * beacons.
 */
async function blockPosthog(page: Page): Promise<void> {
  const [file = ''] = globSync(`${distOf('tracked')}/client/assets/**/*.js`).filter((path) =>
    readFileSync(path, 'utf8').includes('You have already initialized PostHog'),
  );
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setBlockedURLs', { urls: [`*${basename(file)}`] });
}

/**
 * Bodies and addresses of all requests, except for the page itself. Beacons are decoded at the
 * server's side.
 */
function recordSent(context: BrowserContext): string[] {
  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.isNavigationRequest()) return;
    const body = request.postDataBuffer()?.toString() ?? '';
    sent.push(request.url(), decodeURIComponent(body.replaceAll('+', ' ')));
  });
  return sent;
}

test('without posthog-js, a section in view, a click and a closed tab: each event has the visit’s properties, and no more', async ({
  page,
  world,
  ref,
}) => {
  await blockPosthog(page);
  const sent = recordSent(page.context());
  await page.clock.install();
  const query = new URLSearchParams({ ...PLANTED, ref, ...UTM });
  await page.goto(`/?${query}&utm_id=planted+person`, {
    referer: 'https://www.google.com/search?q=planted',
    waitUntil: 'commit',
  });
  await islandsInViewReady(page);
  await toggleFilm(page);
  await expect(page.locator('video')).toHaveJSProperty('paused', false);
  // The opt-out forgets the film's event, which waits.
  await page.locator('footer').scrollIntoViewIfNeeded();
  for (const _ of ['off', 'on']) await page.locator('#opt-out button').click();
  await show(page, 'benefits');
  await page.clock.runFor(2000);
  await page.click('[data-cta=closing]');
  await page.close();

  const names = () => eventsOf(world, ref).map(({ event }) => event);
  await expect.poll(names).toEqual(expect.arrayContaining(['$pageview', 'cta_click']));
  await expect.poll(() => sectionsOf(world, ref)).toContain('benefits');
  expect(names()).not.toContain('video_played');
  const lines = await loggedClicks(world, ref, 1);
  const all = eventsOf(world, ref);
  const [first] = all.map(({ properties }) => visitPart(properties));
  for (const { event, properties } of all)
    expect({ event, ...visitPart(properties) }).toEqual({ event, ...first });
  expect(Object.keys(first ?? {})).toEqual(Object.keys(VISIT_PROPERTIES));
  const unknown = Object.entries(first ?? {}).filter(([, value]) => value === null);
  // `referrerDetail` "class" keeps no name of a site.
  expect(unknown).toEqual([['referring_site', null]]);
  expect(first).toMatchObject({ ...UTM, referring_class: 'search', $browser: 'Chrome' });
  expect(lines).toMatchObject([{ seq: 1, campaign: UTM, referring_class: 'search' }]);
  const rows = world.site.rows('SELECT is_first FROM visits WHERE referrer = ?', ref);
  expect(rows).toEqual([{ is_first: 1 }]);
  const everything = [sent, world.posthog.requests.map(({ body }) => body), lines];
  expect(JSON.stringify(everything)).not.toContain('planted');
});

test('a section in view and the film are one event each, without the time zone', async ({
  page,
  world,
  ref,
}) => {
  const sent = recordSent(page.context());
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await allAwake(page);
  await page.clock.runFor(10_000);
  await expect.poll(() => sectionsOf(world, ref)).toContain('top');
  await page.clock.pauseAt(Date.now() + 120_000);
  const before = sectionsOf(world, ref);
  const [past = '', seen = ''] = ['benefits', 'impact', 'register'].filter(
    (id) => !before.includes(id),
  );
  for (const id of [past, 'top', seen]) await show(page, id);
  await page.clock.runFor(10_000);
  await expect.poll(() => sectionsOf(world, ref)).toContain(seen);
  const sections = sectionsOf(world, ref);
  expect(sections).not.toContain(past);
  expect(new Set(sections).size).toBe(sections.length);

  for (const paused of [false, true, false]) {
    await toggleFilm(page);
    await expect(page.locator('video')).toHaveJSProperty('paused', paused);
  }
  await page.clock.runFor(10_000);
  const [played] = await capturedEvents(world, 'video_played', ref, 1);
  expect(played?.properties).toMatchObject({ $host: new URL(world.url).host });
  // Only posthog-js puts the project's key there.
  expect(sent.some((text) => text.includes('"token":'))).toBe(true);
  expect(sent.some((text) => /time_?zone/i.test(text))).toBe(false);
});

test('the server sends what a browser could not', async ({ page, browser, world, ref }) => {
  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const plain = await withoutScript.newPage();
  await plain.goto(`${world.url}?ref=${ref}-plain`);
  await plain.click('[data-cta=closing]');

  await page.route('**/k/e/**', (route) => route.abort());
  await page.goto(`/?ref=${ref}-blocking`);
  await page.click(CTA);

  for (const visit of ['plain', 'blocking']) {
    const [line] = await loggedClicks(world, `${ref}-${visit}`, 1);
    expect(line?.via).toBe(visit === 'plain' ? 'ping' : 'fetch');
    const [event] = await capturedEvents(world, 'cta_click', `${ref}-${visit}`, 1);
    expect(event).toMatchObject({ uuid: line?.id, timestamp: line?.timestamp });
    expect(event?.distinct_id).toBe(line?.visit_id ?? line?.id);
  }
  await withoutScript.close();
});

test('a browser that a program drives is marked, its press arrives, and a press by a script has a mark', async ({
  page,
  world,
  ref,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'webdriver', { get: () => true });
  });
  await page.goto(`/?ref=${ref}`);
  await page.locator(CTA).evaluate((link: HTMLElement) => link.click());
  const [line] = await loggedClicks(world, ref, 1);
  expect(line).toMatchObject({ is_automated: true, is_scripted: true, is_bot: false });
  const [click] = await capturedEvents(world, 'cta_click', ref, 1);
  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  for (const event of [click, view]) expect(event?.properties.is_automated).toBe(true);
  for (const table of ['clicks', 'visits'])
    expect(world.site.rows(`SELECT is_automated FROM ${table} WHERE referrer = ?`, ref)).toEqual([
      { is_automated: 1 },
    ]);
});

test('a link to the team’s switch marks nobody; its button marks the browser, also before the scripts, and ends that again', async ({
  page,
  world,
  ref,
}) => {
  const { slow } = world;
  const [team, people] = [{ is_internal: 1 }, { is_internal: 0 }];
  const marks = (of: string) =>
    ['clicks', 'visits'].map((table) =>
      world.site.rows(
        `SELECT is_internal FROM ${table} WHERE referrer = ? ORDER BY is_internal`,
        of,
      ),
    );
  const isMarked = () => page.evaluate(() => 'internal' in localStorage);
  const button = page.getByRole('complementary').getByRole('button');

  const stranger = `${ref}-stranger`;
  await page.goto(`${slow.url}?ref=${stranger}&internal=1`);
  await expect(button).toHaveText('Leave this browser out');
  expect(page.url()).toBe(`${slow.url}?ref=${stranger}`);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await page.click(CTA);
  await expect.poll(() => marks(stranger)).toEqual([[people], [people]]);

  await page.goto(`${slow.url}?ref=${ref}&internal=1`);
  await button.click();
  await expect(button).toHaveText('Count this browser again');
  await expect(page.getByRole('complementary')).toContainText('?internal=1');
  slow.hold(/\.js$/);
  await page.goto(`${slow.url}help/?ref=${ref}`, { waitUntil: 'commit' });
  await page.click('[data-cta]');
  await expect.poll(() => marks(ref)).toEqual([[team], [people, team]]);
  slow.release();

  const later = `${ref}-later`;
  for (const value of ['0', '', '2', 'true']) {
    await page.goto(`${slow.url}?ref=${ref}&internal=${value}`);
    await islandsInViewReady(page);
    expect([await isMarked(), await button.count()]).toEqual([true, 0]);
  }
  await page.goto(`${slow.url}es/?ref=${ref}&INTERNAL=1#impact`);
  await expect(button).toHaveText('Volver a contar este navegador');
  expect(page.url()).toBe(`${slow.url}es/?ref=${ref}#impact`);
  await button.click();
  expect(await isMarked()).toBe(false);
  await page.goto(`${slow.url}?ref=${later}`);
  await page.click(CTA);
  await capturedEvents(world, 'cta_click', later, 1);
  await capturedEvents(world, '$pageview', later, 1);
  expect(marks(later)).toEqual([[people], [people]]);
});
