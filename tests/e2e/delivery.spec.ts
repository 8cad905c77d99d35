/** §7: a click is counted exactly once, whatever breaks between the press and the table. */

import type { BrowserContext, Page } from '@playwright/test';
import { leaveAndReturn, refuseStorage } from '../helpers/browser/page-steps.ts';
import { quiet, settle } from '../helpers/browser/page-waits.ts';
import { expect, loggedClicks, test, type World } from './fixtures.ts';

// Chromium's messages about requests that do not arrive.
test.use({ expectedComplaints: /ERR_|503|400|403|redirect/i });

const CTA = '[data-cta=hero]';
const LOG = '**/api/log-cta*';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Waits until the log has the clicks of a ref. Then the table has each of them once, and so have the counters. */
async function countedOnce(world: World, ref: string, clicks: number) {
  const lines = await loggedClicks(world, ref, clicks);
  const { rows } = world.site;
  expect(rows('SELECT id FROM clicks WHERE referrer = ?', ref)).toHaveLength(clicks);
  const stored = rows('SELECT id FROM clicks ORDER BY id').map(({ id }) => id);
  const logged = world.site.lines().map(({ id }) => id);
  expect(logged.sort()).toEqual(stored);
  expect(rows('SELECT SUM(n) AS n FROM click_counts')).toEqual([{ n: stored.length }]);
  return lines;
}

async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => {});
  await crashed;
}

interface Fault {
  page: Page;
  context: BrowserContext;
  world: World;
  url: string;
}

/** Each brings a fault about on an open page, and returns its number of clicks. */
const FAULTS: Record<string, (fault: Fault) => Promise<number>> = {
  async 'the renderer crashes'({ page }) {
    await page.click(CTA);
    await crash(page);
    return 1;
  },
  async 'the link opens in the same tab'({ page }) {
    await page.locator(CTA).evaluate((link) => link.setAttribute('target', '_self'));
    await page.click(CTA);
    await page.waitForURL(/create-account/);
    return 1;
  },
  async 'the network is away for two clicks'({ page, context }) {
    await context.setOffline(true);
    await page.click(CTA);
    await page.click('[data-cta=closing]');
    await context.setOffline(false);
    return 2;
  },
  async 'storage is full'({ page }) {
    await page.evaluate(() => {
      for (let size = 1 << 20; size > 0; size >>= 1) {
        try {
          for (let i = 0; ; i++) localStorage.setItem(`filler-${size}-${i}`, 'x'.repeat(size));
        } catch {
          // Full for this size; the next is smaller.
        }
      }
    });
    await page.click(CTA);
    await page.close({ runBeforeUnload: true });
    return 1;
  },
  async 'storage is refused'({ context, url }) {
    const page = await context.newPage();
    await page.addInitScript(refuseStorage);
    await page.goto(url);
    await page.click(CTA);
    await page.close({ runBeforeUnload: true });
    return 1;
  },
  async 'four tabs click in turns, and two of them crash'({ page, context, url }) {
    const tabs = [page];
    while (tabs.length < 4) tabs.push(await context.newPage());
    for (const tab of tabs.slice(1)) await tab.goto(url);
    for (const tab of [...tabs, ...tabs]) {
      await tab.bringToFront();
      await tab.click(CTA, { modifiers: ['Control'] });
    }
    for (const tab of tabs.slice(0, 2)) await crash(tab);
    return 8;
  },
};

for (const [name, play] of Object.entries(FAULTS)) {
  test(`${name}: no click lost, none doubled`, async ({ browser, world, ref }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const url = `${world.url}?ref=${ref}`;
    await page.goto(url);
    const clicks = await play({ page, context, world, url });
    // The next visit delivers what an earlier page could not.
    await (await context.newPage()).goto(url);
    await countedOnce(world, ref, clicks);
    await context.close();
  });
}

test('the server is away for a minute: clicks wait', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await quiet(page);
  await world.site.stop('SIGKILL');
  await page.click(CTA);
  await page.click(CTA);
  await page.clock.runFor(MINUTE_MS);
  await world.site.start();
  // The longest pause between two attempts.
  await page.clock.runFor(5 * MINUTE_MS);
  await loggedClicks(world, ref, 2);
  await page.clock.runFor(5 * MINUTE_MS);
  await countedOnce(world, ref, 2);
});

/** Answers that come from something between the page and the server. */
const ANSWERS = {
  'a captive portal': { status: 200, contentType: 'text/html', body: '<title>Wi-Fi</title>' },
  'another service': { status: 200, contentType: 'application/json', body: '{"ok":true}' },
  'a redirect': { status: 302, headers: { location: '/' } },
  'a firewall': { status: 403, contentType: 'text/html', body: '<title>Wait</title>' },
};

test('answers of portals and firewalls confirm nothing', async ({ page, world, ref }) => {
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  for (const [i, answer] of Object.values(ANSWERS).entries()) {
    const answered = Promise.withResolvers<void>();
    await page.route(LOG, async (route) => {
      await route.fulfill(answer);
      // The script's own request. A beacon has no reader.
      if (route.request().url().endsWith('/api/log-cta')) answered.resolve();
    });
    await page.click(CTA);
    await answered.promise;
    await page.unroute(LOG);
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await loggedClicks(world, ref, i + 1);
  }
  await countedOnce(world, ref, Object.keys(ANSWERS).length);
});

test('a server that never answers is asked again', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.goto(`${world.slow.url}?ref=${ref}`);
  await settle(page);
  world.slow.hold(/log-cta$/);
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/log-cta'));
  await page.click(CTA, { modifiers: ['Control'] });
  await asked;
  world.slow.hold(/^never$/); // The first stays held.
  await page.clock.runFor(5 * MINUTE_MS);
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.via).toBe('fetch');
  world.slow.release();
  await countedOnce(world, ref, 1);
});

test('two tabs send each waiting click once', async ({ page, context, world, ref }) => {
  await context.route(LOG, (route) => route.abort());
  const tabs = [page, await context.newPage()];
  for (const tab of tabs) {
    await tab.clock.install();
    await tab.goto(`${world.slow.url}?ref=${ref}`);
    await settle(tab);
  }
  for (let n = 0; n < 3; n++) await page.click(CTA, { modifiers: ['Control'] });
  // Stops every timer, so that only the network's return can cause a request.
  for (const tab of tabs) await tab.clock.pauseAt(Date.now() + MINUTE_MS);
  const asked: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/log-cta')) asked.push(request.postDataJSON().id);
  });
  await context.unroute(LOG);
  world.slow.hold(/log-cta$/);
  for (const tab of tabs) await tab.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  // The tab that has asked still holds the lock.
  const isFree = () =>
    navigator.locks.request('click-outbox', { ifAvailable: true }, (lock) => lock !== null);
  expect(await page.evaluate(isFree)).toBe(false);
  world.slow.release();
  await countedOnce(world, ref, 3);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  expect(asked).toHaveLength(3);
});

test('a page that returns sends what waits', async ({ keptPage, world, ref }) => {
  await keptPage.clock.install();
  await keptPage.goto(`/?ref=${ref}`);
  await settle(keptPage);
  // Stops every timer, so that no later attempt can replace the one on return.
  await keptPage.clock.pauseAt(Date.now() + MINUTE_MS);
  // The attempts fail while the page is open, and so does the beacon when it is left.
  await world.site.stop('SIGKILL');
  await keptPage.click(CTA, { modifiers: ['Control'] });
  await leaveAndReturn(keptPage, 'about:blank', () => world.site.start());
  await countedOnce(world, ref, 1);
});

test('a later page delivers a waiting click', async ({ page, world, ref }) => {
  await page.goto(`/help/privacy/?ref=${ref}`);
  await quiet(page);
  await world.site.stop();
  await page.click('[data-cta=help]');
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(1);
  await page.goto('about:blank');
  await world.site.start();
  await page.goto('/es/help/?ref=another');
  const [line] = await countedOnce(world, ref, 1);
  expect(line).toMatchObject({ event: 'help_cta_click', via: 'fetch' });
});

test('clocks that are a day and a month ahead', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await settle(page);
  await page.clock.fastForward(DAY_MS);
  await page.click(CTA);
  const [day] = await loggedClicks(world, ref, 1);
  expect(Date.parse(String(day?.timestamp)) - Date.now()).toBeGreaterThan(DAY_MS - MINUTE_MS);
  expect(Number(day?.skew_ms)).toBeLessThan(-DAY_MS + MINUTE_MS);
  await page.clock.fastForward(30 * DAY_MS);
  await page.click(CTA);
  const [, month] = await countedOnce(world, ref, 2);
  const time = Number.parseInt(String(month?.id).replace('-', '').slice(0, 12), 16);
  expect(Math.abs(time - Date.now())).toBeLessThan(DAY_MS);
  expect(Date.parse(String(month?.timestamp)) - Date.now()).toBeGreaterThan(29 * DAY_MS);
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
});
