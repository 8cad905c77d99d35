/**
 * A click is counted exactly once, whatever breaks. In the end every fault has as many rows in the table as it had clicks, and
 * as many lines in the log that are no repetitions. The counters have each row once.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, loggedClicks, test, type World } from './fixtures.ts';

const CTA = '[data-cta=hero]';

// The browser's messages about the faults. Any other message still fails the test.
test.use({
  expectedComplaints:
    /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_FAILED|ERR_CONNECTION_RESET|ERR_NETWORK_IO_SUSPENDED|503/,
});

interface Fault {
  page: Page;
  context: BrowserContext;
  world: World;
  /** Distinguishes the clicks of this fault from all others. */
  ref: string;
  /** Opens the site in another tab of the same browser. */
  open(path?: string): Promise<Page>;
}

/**
 * @param play brings the fault about, and returns the number of clicks
 * @param visitAgain loads the site again after the fault: the next visit delivers what an earlier page could not
 */
function fault(
  name: string,
  play: (run: Fault) => Promise<number>,
  { visitAgain = true }: { visitAgain?: boolean } = {},
) {
  test(`${name}: no click lost, none doubled`, async ({ browser, world }) => {
    const ref = name.replaceAll(/\W+/g, '-');
    const context = await browser.newContext({ baseURL: world.url });
    const open = async () => {
      const page = await context.newPage();
      await page.goto(`/?ref=${ref}`);
      return page;
    };
    const clicks = await play({ page: await open(), context, world, ref, open });
    if (visitAgain) await (await open()).waitForLoadState();
    await loggedClicks(world, ref, clicks);
    await context.close();
    const { lines, rows } = world.site;
    expect(rows('SELECT id FROM clicks WHERE referrer = ?', ref)).toHaveLength(clicks);
    const stored = rows('SELECT id FROM clicks ORDER BY id').map(({ id }) => id);
    const logged = lines().map(({ id }) => id);
    expect(logged.sort()).toEqual(stored);
    expect(rows('SELECT SUM(n) AS n FROM click_counts')).toEqual([{ n: stored.length }]);
  });
}

fault('the renderer crashes', async ({ page, context }) => {
  const session = await context.newCDPSession(page);
  await page.click(CTA);
  const crashed = page.waitForEvent('crash');
  session.send('Page.crash').catch(() => {});
  await crashed;
  return 1;
});

fault(
  'the page goes somewhere else in the same tab',
  async ({ page }) => {
    await page.evaluate(
      (selector) => document.querySelector(selector)?.setAttribute('target', '_self'),
      CTA,
    );
    await page.click(CTA);
    await page.waitForURL(/create-account/);
    return 1;
  },
  { visitAgain: false },
);

fault(
  'offline and back again',
  async ({ page, context }) => {
    await context.setOffline(true);
    await page.click(CTA);
    await page.click('[data-cta=closing]');
    await context.setOffline(false);
    return 2;
  },
  { visitAgain: false },
);

fault('the server is away', async ({ page, world }) => {
  await world.site.stop('SIGKILL');
  await page.click(CTA);
  await page.click(CTA);
  await world.site.start();
  return 2;
});

fault(
  'storage is full',
  async ({ page }) => {
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
  { visitAgain: false },
);

fault(
  'storage is refused',
  async ({ context, world, ref }) => {
    const page = await context.newPage();
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError');
        },
      });
    });
    await page.goto(`${world.url}?ref=${ref}`);
    await page.click(CTA);
    await page.close({ runBeforeUnload: true });
    return 1;
  },
  { visitAgain: false },
);

fault('four tabs click at random, and two of them crash', async ({ page, context, open }) => {
  const pages = [page, await open(), await open(), await open()];
  let clicks = 0;
  for (let i = 0; i < 12; i++) {
    const one = pages[Math.floor(Math.random() * pages.length)] as Page;
    await one.bringToFront();
    await one.click(CTA, { modifiers: ['Control'] });
    clicks++;
  }
  for (const one of pages.slice(0, 2)) {
    const session = await context.newCDPSession(one);
    session.send('Page.crash').catch(() => {});
  }
  return clicks;
});
