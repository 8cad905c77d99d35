/**
 * §7: the events of the tracking plan at PostHog's side: each once, with the visit's properties, with and without posthog-js, from
 * the browser and from the server's table.
 */

import type { BrowserContext, Page } from '@playwright/test';
import { VISIT_PROPERTIES } from '#contract/events.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { leaveAndReturn, wake } from '../helpers/browser/page-steps.ts';
import { firstPaint, settle } from '../helpers/browser/page-waits.ts';
import {
  capturedEvents,
  expect,
  loggedClicks,
  posthogFile,
  test,
  visitPart,
  type World,
} from './fixtures.ts';

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
const PLANTED = {
  gclid: 'planted-gclid',
  fbclid: 'planted-fbclid',
  msclkid: 'planted-msclkid',
  token: 'planted-token',
};

const eventsOf = (world: World, ref: string, name?: string) =>
  world.posthog
    .merged()
    .filter(({ event, properties }) => properties.referrer === ref && (!name || event === name));
const sectionsOf = (world: World, ref: string) =>
  eventsOf(world, ref, 'section_viewed').map(({ properties }) => properties.section);

/** Shows a section, and waits until the browser has called its observers. */
const show = (page: Page, id: string) =>
  page.evaluate(async (name) => {
    const target = document.getElementById(name) as Element;
    target.scrollIntoView({ behavior: 'instant' });
    await new Promise((resolve) => {
      new IntersectionObserver(([entry]) => entry?.isIntersecting && resolve(null)).observe(target);
    });
  }, id);

interface Journey {
  act: (page: Page) => Promise<unknown>;
  /** Events that PostHog has afterwards, besides viewed sections and web vitals. */
  events: string[];
  /** A section that PostHog has seen. */
  section?: string;
  isBlocked?: boolean;
}

const JOURNEYS: Record<string, Journey> = {
  'reads a section, without posthog-js': {
    act: async (page) => {
      await settle(page);
      await show(page, 'benefits');
      await page.clock.runFor(2000);
      await page.goto('about:blank');
    },
    events: ['$pageview'],
    section: 'benefits',
    isBlocked: true,
  },
  'presses the button and closes the tab at once, without posthog-js': {
    act: async (page) => {
      await firstPaint(page);
      await page.click(CTA);
      await page.close();
    },
    events: ['$pageview', 'cta_click'],
    isBlocked: true,
  },
};

const RETURN: Journey = {
  act: async (page) => {
    await settle(page);
    await page.click(CTA, { modifiers: ['Control'] });
    await leaveAndReturn(page, 'about:blank');
    await page.click(CTA, { modifiers: ['Control'] });
  },
  events: ['$pageview', 'cta_click', 'cta_click'],
};

for (const [name, journey] of Object.entries(JOURNEYS)) {
  test(`a visitor ${name}: each event has the visit’s properties, and no more`, ({
    page,
    world,
    ref,
  }) => expectJourney(journey, page, world, ref));
}
test('a visitor returns by the back-forward cache: each event has the visit’s properties', ({
  keptPage,
  world,
  ref,
}) => expectJourney(RETURN, keptPage, world, ref));

async function expectJourney(journey: Journey, page: Page, world: World, ref: string) {
  const { act, events, section, isBlocked } = journey;
  if (isBlocked) await blockPosthog(page);
  const sent = recordSent(page.context());
  await page.clock.install();
  const query = new URLSearchParams({ ...PLANTED, ref, ...UTM });
  await page.goto(`/?${query}&utm_id=planted+person`, {
    referer: 'https://www.google.com/search?q=planted',
    waitUntil: 'commit',
  });
  await act(page);

  const main = () =>
    eventsOf(world, ref)
      .map(({ event }) => event)
      .filter((event) => !['section_viewed', 'web_vital'].includes(event));
  await expect.poll(() => main().sort()).toEqual(events.sort());
  if (section) await expect.poll(() => sectionsOf(world, ref)).toContain(section);
  const clicks = events.filter((event) => event === 'cta_click').length;
  const lines = await loggedClicks(world, ref, clicks);

  const all = eventsOf(world, ref);
  const [first] = all.map(({ properties }) => visitPart(properties));
  for (const { event, properties } of all) {
    expect({ event, ...visitPart(properties) }).toEqual({ event, ...first });
  }
  expect(Object.keys(first ?? {})).toEqual(Object.keys(VISIT_PROPERTIES));
  const unknown = Object.entries(first ?? {}).filter(([, value]) => value === null);
  // `referrerDetail` "class" keeps no host.
  expect(unknown).toEqual([['$referring_domain', null]]);
  expect(first).toMatchObject({ ...UTM, referring_class: 'search', $browser: 'Chrome' });
  expect(lines.map(({ seq }) => seq)).toEqual([1, 2].slice(0, clicks));
  for (const line of lines) {
    expect(line).toMatchObject({ campaign: UTM, referring_domain: 'search' });
  }
  const everything = [sent, world.posthog.requests.map(({ body }) => body), lines];
  expect(JSON.stringify(everything)).not.toContain('planted');
}

/** Blocks posthog-js, as content blockers do. Not by a route, which would also stop a leaving page's beacons. */
async function blockPosthog(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setBlockedURLs', { urls: [`*${posthogFile()}`] });
}

/** Bodies and addresses of all requests, except for the page itself. Beacons are decoded at the server's side. */
function recordSent(context: BrowserContext): string[] {
  const sent: string[] = [];
  context.on('request', (request) => {
    if (request.isNavigationRequest()) return;
    const body = request.postDataBuffer()?.toString() ?? '';
    sent.push(request.url(), decodeURIComponent(body.replaceAll('+', ' ')));
    const [, base64] = /^data=([^&]*)/.exec(body) ?? [];
    if (base64) sent.push(Buffer.from(decodeURIComponent(base64), 'base64').toString());
  });
  return sent;
}

test('a section in view and the film are one event each, without the time zone', async ({
  page,
  world,
  ref,
}) => {
  const sent = recordSent(page.context());
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await wake(page);
  await page.clock.runFor(60_000);
  await expect.poll(() => sectionsOf(world, ref)).not.toEqual([]);
  await page.clock.pauseAt(Date.now() + 120_000);
  const before = sectionsOf(world, ref);
  const [past = '', seen = ''] = ['benefits', 'impact', 'register'].filter(
    (id) => !before.includes(id),
  );
  for (const id of [past, 'top']) await show(page, id);
  await page.clock.runFor(60_000);
  await show(page, seen);
  await page.clock.runFor(60_000);
  await expect.poll(() => sectionsOf(world, ref)).toContain(seen);
  const sections = sectionsOf(world, ref);
  expect(sections).not.toContain(past);
  expect(sections.filter((section) => section === 'top')).toEqual(['top']);
  expect(new Set(sections).size).toBe(sections.length);

  await toggleFilm(page);
  for (const paused of [false, true, false]) {
    await expect(page.locator('video')).toHaveJSProperty('paused', paused);
    await toggleFilm(page);
  }
  await page.clock.runFor(60_000);
  const [played] = await capturedEvents(world, 'video_played', ref, 1);
  expect(played?.properties).toMatchObject({ $host: new URL(world.url).host });
  // Only posthog-js puts the project's key there.
  expect(sent.some((text) => text.includes('"token":'))).toBe(true);
  expect(sent.some((text) => /time_?zone/i.test(text))).toBe(false);
});

test('the web vitals are sent when the page is hidden', async ({ page, world, ref }) => {
  const vitals = () => eventsOf(world, ref, 'web_vital').map(({ properties }) => properties);
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  // The largest paint is final with the first press after web-vitals has loaded, which is late.
  await expect(async () => {
    await page.click('h1');
    await expect.poll(vitals, { timeout: 3000 }).toHaveLength(1);
  }).toPass();
  // The browser reports a press after the next paint, and web-vitals reads the report when it is idle.
  await page.evaluate(async () => {
    await new Promise((resolve) =>
      new PerformanceObserver(resolve).observe({ type: 'first-input', buffered: true }),
    );
    await new Promise((resolve) => requestIdleCallback(() => requestIdleCallback(resolve)));
  });
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const names = () => vitals().map(({ name }) => name);
  await expect.poll(() => names().sort()).toEqual(['CLS', 'INP', 'LCP']);
  for (const vital of vitals()) {
    expect(vital).toMatchObject({
      value: expect.any(Number),
      rating: expect.stringMatching(/^(good|needs-improvement|poor)$/),
    });
  }
});

test('the server sends what a browser could not', async ({ context, browser, world, ref }) => {
  const early = await context.newPage();
  world.slow.hold(/\.js$/);
  await early.goto(`${world.slow.url}?ref=${ref}-early`, { waitUntil: 'commit' });
  await early.click(CTA);
  // `close` does not wait for it, and the module must not arrive before.
  const closed = early.waitForEvent('close');
  await early.close({ runBeforeUnload: true });
  await closed;
  world.slow.release();

  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const plain = await withoutScript.newPage();
  await plain.goto(`${world.url}?ref=${ref}-plain`);
  await plain.click('[data-cta=closing]');

  const blocking = await context.newPage();
  await blocking.route('**/k/e/**', (route) => route.abort());
  await blocking.goto(`/?ref=${ref}-blocking`);
  await settle(blocking);
  const blocked = blocking.waitForEvent('requestfailed', (one) => one.url().includes('/k/e/'));
  await blocking.click(CTA);
  await blocked;

  for (const [visit, via] of Object.entries({
    early: 'beacon',
    plain: 'ping',
    blocking: 'fetch',
  })) {
    const [line] = await loggedClicks(world, `${ref}-${visit}`, 1);
    expect(line?.via).toBe(via);
    const [event] = await capturedEvents(world, 'cta_click', `${ref}-${visit}`, 1);
    expect(event).toMatchObject({ uuid: line?.id, timestamp: line?.timestamp });
    expect(event?.distinct_id).toBe(line?.visit_id ?? line?.id);
  }
  await withoutScript.close();
});

test('the team’s own visits are rows that count nowhere, until the mark is removed', async ({
  page,
  world,
  ref,
}) => {
  const readTotal = async () => {
    // A new start counts at once.
    await world.site.stop();
    await world.site.start();
    const answer = await fetch(`http://127.0.0.1:${world.site.port}/api/stats`);
    return (await answer.json()).clicks.total;
  };
  const marks = (table: string, of: string) =>
    world.site
      .rows(`SELECT is_internal FROM ${table} WHERE referrer = ?`, of)
      .map((row) => row.is_internal);
  const before = await readTotal();
  const { slow } = world;
  await page.goto(`${slow.url}?ref=${ref}&internal=1`);
  await settle(page);
  expect(page.url()).toBe(`${slow.url}?ref=${ref}`);
  await page.click(CTA);
  await expect.poll(() => marks('clicks', ref)).toEqual([1]);
  // Also before the module has loaded.
  slow.hold(/\.js$/);
  await page.goto(`${slow.url}help/?ref=${ref}`, { waitUntil: 'commit' });
  await page.click('[data-cta]');
  await expect.poll(() => marks('clicks', ref)).toEqual([1, 1]);
  await expect.poll(() => marks('visits', ref)).toEqual([1, 1]);
  slow.release();

  const later = `${ref}-later`;
  await page.goto(`${slow.url}?ref=${later}&internal=0`);
  await page.click(CTA);
  await capturedEvents(world, 'cta_click', later, 1);
  await capturedEvents(world, '$pageview', later, 1);
  expect([marks('clicks', later), marks('visits', later)]).toEqual([[0], [0]]);
  expect(eventsOf(world, ref)).toEqual([]);
  expect(JSON.stringify([world.signUps, world.site.lines()])).not.toContain('internal=');
  expect(await readTotal()).toBe(before + 1);
});
