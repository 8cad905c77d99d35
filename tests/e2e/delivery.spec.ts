/** §7: a click is counted exactly once, whatever breaks between the press and the table. */

import type { BrowserContext, Page, Request } from '@playwright/test';
import { withBackForwardCache } from '../helpers/browser/chromium.ts';
import { islandsInViewReady, moduleRan, noMoreRequests } from '../helpers/browser/page-waits.ts';
import { expect, loggedClicks, test, USER_AGENT, type World } from './fixtures.ts';

// Chromium's messages about requests that do not arrive.
test.use({
  expectedComplaints: /net::ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_(REFUSED|RESET))/,
});

const CTA = '[data-cta=hero]';
const MINUTE_MS = 60_000;
const isSend = (request: Request) => request.url().endsWith('/api/log-cta');

/**
 * Waits until the log has the clicks of a ref. Then the table has each of them once, and so have
 * the counters.
 */
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

type Fault = { page: Page; context: BrowserContext; world: World; url: string; ref: string };

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
  async 'a help page is left while the network is away'({ page, context, world, ref }) {
    await page.goto(`${world.url}es/help/privacy/?ref=${ref}`);
    await moduleRan(page);
    await context.setOffline(true);
    await page.click('[data-cta=help]');
    await page.goto('about:blank');
    await context.setOffline(false);
    return 1;
  },
  async 'storage is refused'({ context, url }) {
    const page = await context.newPage();
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    });
    await page.goto(url);
    await page.click(CTA);
    await page.close({ runBeforeUnload: true });
    return 1;
  },
  async 'two tabs click in turns, and one of them crashes'({ page, context, url }) {
    const other = await context.newPage();
    await other.goto(url);
    for (const tab of [page, other, page, other]) {
      await tab.bringToFront();
      await tab.click(CTA, { modifiers: ['Control'] });
    }
    await crash(page);
    return 4;
  },
};

for (const [name, play] of Object.entries(FAULTS)) {
  test(`${name}: no click lost, none doubled`, async ({ browser, world, ref }) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const url = `${world.url}?ref=${ref}`;
    await page.goto(url);
    const clicks = await play({ page, context, world, url, ref });
    // The next visit delivers what an earlier page could not.
    await (await context.newPage()).goto(url);
    await countedOnce(world, ref, clicks);
    await context.close();
  });
}

test('a renderer that crashes while a click is on the way: no later visit is needed', async ({
  page,
  context,
  world,
  ref,
}) => {
  await page.goto(`${world.slow.url}?ref=${ref}`);
  await islandsInViewReady(page);
  world.slow.hold(/log-cta/);
  const asked = page.waitForRequest(isSend);
  await page.click(CTA, { modifiers: ['Control'] });
  await asked;
  await crash(page);
  // Its answer comes after the proxy has noticed a request that the browser gave up.
  await (await context.newPage()).goto(`${world.slow.url}robots.txt`);
  world.slow.release();
  await countedOnce(world, ref, 1);
});

test('the server is away for a minute: clicks wait', async ({ page, world, ref }) => {
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await noMoreRequests(page);
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

test('the network comes back: what waits is sent', async ({ page, context, world, ref }) => {
  await page.clock.install();
  await page.goto(`/?ref=${ref}`);
  await noMoreRequests(page);
  // Stops every timer, so that no later attempt can replace the one on the network's return.
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  await context.setOffline(true);
  const failed = page.waitForEvent('requestfailed', isSend);
  await page.click(CTA, { modifiers: ['Control'] });
  await failed;
  await context.setOffline(false);
  await countedOnce(world, ref, 1);
});

test('a page that returns sends what waits', async ({ playwright, launchOptions, world, ref }) => {
  // A whole browser that keeps a left page, which the shell cannot.
  const browser = await playwright.chromium.launch(withBackForwardCache(launchOptions));
  const page = await browser.newPage({ userAgent: USER_AGENT });
  await page.clock.install();
  await page.goto(`${world.url}?ref=${ref}`);
  await noMoreRequests(page);
  // Stops every timer, so that no later attempt can replace the one on return.
  await page.clock.pauseAt(Date.now() + MINUTE_MS);
  await page.evaluate(() => Object.assign(window, { wasKept: true }));
  // The attempts fail while the page is open, and so does the beacon when it is left.
  await world.site.stop('SIGKILL');
  await page.click(CTA, { modifiers: ['Control'] });
  await page.goto('about:blank');
  await world.site.start();
  // The page may be gone before it answers.
  await page.evaluate(() => history.back()).catch(() => {});
  await page.waitForURL(`${world.url}?ref=${ref}`, { waitUntil: 'commit' });
  expect(await page.evaluate(() => 'wasKept' in window)).toBe(true);
  await countedOnce(world, ref, 1);
  await browser.close();
});
