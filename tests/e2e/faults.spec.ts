/**
 * A click is counted exactly once, whatever breaks. Each fault is tried several times, with a `ref` of its own per
 * try. In the end every try has as many lines in the log as it had clicks, and no id is in the log twice.
 */
import type { BrowserContext, Page } from '@playwright/test';
import { expect, loggedClicks, test, type World } from './fixtures.ts';

const TRIES = 3;
const CTA = '[data-cta=hero]';

// The browser's messages about the faults. Any other message still fails the test.
test.use({
  expectedComplaints:
    /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_FAILED|ERR_CONNECTION_RESET|ERR_NETWORK_IO_SUSPENDED|503/,
});
test.setTimeout(60_000 + TRIES * 60_000);

let tries = 0;

interface Try {
  page: Page;
  context: BrowserContext;
  world: World;
  /** Distinguishes the clicks of this try from all others. */
  ref: string;
  /** Opens the site in another tab of the same browser. */
  open(path?: string): Promise<Page>;
}

interface Options {
  /** Loads the site again after the fault: the next visit delivers what an earlier page could not. */
  visitAgain?: boolean;
  /** Runs one try after the other, because each changes the server or the network of all. */
  oneByOne?: boolean;
}

/** Tries a fault several times, and compares the log with the clicks. */
function fault(
  name: string,
  play: (run: Try) => Promise<number>,
  { visitAgain = true, oneByOne = false }: Options = {},
) {
  test(`${name}: no click lost, none doubled`, async ({ browser, world }) => {
    const playOnce = async () => {
      const ref = `fault-${process.pid}-${tries++}`;
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
    };
    if (oneByOne) for (let i = 0; i < TRIES; i++) await playOnce();
    else await inPairs(playOnce);
    const lines = await world.site.lines();
    expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length);
  });
}

/** Two tries at a time, because most faults wait for a retry and need little of the processor meanwhile. */
async function inPairs(playOnce: () => Promise<void>): Promise<void> {
  for (let i = 0; i < TRIES; i += 2) {
    await Promise.all(Array.from({ length: Math.min(2, TRIES - i) }, playOnce));
  }
}

fault(
  'the tab is closed at once',
  async ({ page }) => {
    await page.click(CTA);
    await page.close({ runBeforeUnload: true });
    return 1;
  },
  { visitAgain: false },
);

fault(
  'the tab is closed at once while it is still loading',
  async ({ context, world, ref }) => {
    const page = await context.newPage();
    world.slow.hold(/\.js$/);
    await page.goto(`${world.slow.url}?ref=${ref}`, { waitUntil: 'commit' });
    await page.click(CTA);
    await page.close({ runBeforeUnload: true });
    world.slow.release();
    return 1;
  },
  { visitAgain: false, oneByOne: true },
);

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
    await page.waitForURL(/portal/);
    return 1;
  },
  { visitAgain: false },
);

fault(
  'offline, and back again',
  async ({ page, context }) => {
    await context.setOffline(true);
    await page.click(CTA);
    await page.click('[data-cta=closing]');
    await context.setOffline(false);
    return 2;
  },
  { visitAgain: false },
);

fault(
  'the server is away',
  async ({ page, world }) => {
    await world.site.stop('SIGKILL');
    await page.click(CTA);
    await page.click(CTA);
    await world.site.start();
    return 2;
  },
  { oneByOne: true },
);

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
