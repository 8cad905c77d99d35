/** The bytes that a visitor's first input causes: code loads when it is used, and not before. */
import type { Page } from '@playwright/test';
import { comeNear, moduleRan } from '../helpers/browser/page-waits.ts';
import { expect, test } from './fixtures.ts';

/** The most that may load after the first input, with headers, without PostHog. */
const AFTER_INPUT_BYTES = 65_000;
/** Paths of all that the page's own script loads. */
const LATE = /^\/(assets\/chunks|api)\//;

/**
 * Records the scripts and API calls that follow the page's own script, with their bytes on the
 * wire, headers included. All of them: Chromium sometimes reports a movement of the pointer by
 * itself, which the page takes for the first input.
 */
async function recordLateLoads(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const open = new Map<string, string>();
  const late: { path: string; bytes: number }[] = [];
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url);
    if (LATE.test(pathname)) open.set(requestId, pathname);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength: bytes }) => {
    const path = open.get(requestId);
    if (path !== undefined) late.push({ path, bytes });
    open.delete(requestId);
  });
  return {
    late,
    /** Waits until this path has loaded, and the idle page loads nothing more. */
    async until(path: string): Promise<void> {
      await expect(async () => {
        const before = late.length;
        await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
        expect(late.map((load) => load.path)).toContain(path);
        expect([open.size, late.length]).toEqual([0, before]);
      }).toPass();
    },
  };
}

/** As a visitor who asks for privacy, because the page then loads no PostHog. */
const askForPrivacy = (page: Page) =>
  page.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { get: () => true });
  });

const FIRST_INPUTS: Record<string, (page: Page) => Promise<void>> = {
  'a pointer that moves': async (page) => {
    await page.mouse.move(3, 3);
    await page.mouse.move(5, 5);
  },
  'the key End': (page) => page.keyboard.press('End'),
};
for (const [name, act] of Object.entries(FIRST_INPUTS))
  test(`the first input brings at most 65,000 bytes: ${name}`, async ({ page }) => {
    await askForPrivacy(page);
    const { late, until } = await recordLateLoads(page);
    await page.goto('/');
    await moduleRan(page);
    await act(page);
    await until('/api/stats');
    const bytes = late.reduce((sum, load) => sum + load.bytes, 0);
    expect(bytes, JSON.stringify(late)).toBeLessThanOrEqual(AFTER_INPUT_BYTES);
  });

test('the switch comes when the footer is near, and the code of toast and tooltip with the pointer', async ({
  page,
}) => {
  const { late, until } = await recordLateLoads(page);
  const button = page.locator('#opt-out button');
  await page.goto('/');
  await moduleRan(page);
  await page.mouse.move(3, 3);
  await page.mouse.move(5, 5);
  await until('/api/stats');
  await expect(button).toHaveCount(0);
  const bytesOf = () => late.reduce((sum, load) => sum + load.bytes, 0);
  const atTop = bytesOf();
  await comeNear(page.locator('footer'));
  await button.waitFor();
  await expect(page.locator('footer')).not.toBeInViewport();
  // The switch is small. It does not bring React with it.
  expect(bytesOf()).toBeGreaterThan(atTop);
  expect(bytesOf()).toBeLessThan(atTop + 10_000);
  const beforeHover = bytesOf();
  await button.hover();
  await page.locator('[data-tooltip]').waitFor();
  expect(bytesOf()).toBeGreaterThan(beforeHover + 50_000);
});

test('§7: a visitor who does nothing causes the first poll after 30 s', async ({ page }) => {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  await page.addInitScript(() => {
    // Chromium reports movements of the pointer by itself, and Playwright's calls count as a
    // visitor's activation.
    addEventListener('pointermove', (event) => event.stopImmediatePropagation(), true);
    Object.defineProperty(navigator, 'userActivation', { value: undefined });
  });
  const late: string[] = [];
  page.on('request', (request) => {
    if (LATE.test(new URL(request.url()).pathname)) late.push(request.url());
  });
  await page.goto('/');
  await moduleRan(page);
  await page.clock.runFor(29_999);
  // A request that has begun before this one is known after it.
  await page.evaluate(() => fetch('/robots.txt'));
  expect(late).toEqual([]);
  const polled = page.waitForRequest('**/api/stats');
  await page.clock.runFor(1);
  await polled;
});
