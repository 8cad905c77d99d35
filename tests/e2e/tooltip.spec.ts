/** §9: the tooltip of the footer's switch. toast.spec.ts has its toast. */

import type { Locator, Page } from '@playwright/test';
import {
  openFooter,
  theSwitch,
  theToast,
  theTooltip,
  WORDS,
} from '../helpers/browser/footer-switch.ts';
import { islandsInViewReady } from '../helpers/browser/page-waits.ts';
import { expect, test } from './fixtures.ts';

test.describe('the tooltip, whose code loads when it is first needed,', () => {
  /** Opens the footer of a site whose scripts, from now on, load only after a release. */
  async function openFooterWithHeldScripts(
    page: Page,
    slow: { url: string; hold(path: RegExp): void },
  ) {
    await page.clock.install();
    await page.goto(slow.url);
    await islandsInViewReady(page);
    await page.locator('footer').scrollIntoViewIfNeeded();
    const button = theSwitch(page);
    await button.waitFor();
    slow.hold(/\.js$/);
    await page.clock.pauseAt(Date.now() + 2000);
    return button;
  }
  /** Radix has given its properties to the control. */
  const tooltipLoaded = (button: Locator) => expect(button).toHaveAttribute('data-state', /./);

  test('§9: opens 700 ms after the pointer came, and the load counts', async ({ page, world }) => {
    const button = await openFooterWithHeldScripts(page, world.slow);
    const loads = page.waitForRequest('**/*.js');
    await button.hover();
    await loads;
    await page.clock.runFor(400);
    world.slow.release();
    await tooltipLoaded(button);
    await page.clock.runFor(290);
    await expect(theTooltip(page)).toHaveCount(0);
    await page.clock.runFor(20);
    await expect(theTooltip(page)).toBeVisible();
  });

  test('opens at once if it loaded later than that', async ({ page, world }) => {
    const button = await openFooterWithHeldScripts(page, world.slow);
    await button.hover();
    await page.clock.runFor(800);
    world.slow.release();
    await expect(theTooltip(page)).toBeVisible();
  });

  test('opens for the keyboard, and the focus stays', async ({ page, world }) => {
    const button = await openFooterWithHeldScripts(page, world.slow);
    await page.locator('footer ul a').last().focus();
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
    world.slow.release();
    await expect(theTooltip(page)).toBeVisible();
    await expect(button).toBeFocused();
    await expect(button).toHaveAccessibleDescription(WORDS.en['opt-out'].effect.on);
    await page.keyboard.press('Tab');
    await expect(theTooltip(page)).toHaveCount(0);
  });

  test('does not open where the pointer left before', async ({ page, world }) => {
    const button = await openFooterWithHeldScripts(page, world.slow);
    await button.hover();
    await page.mouse.move(3, 3);
    world.slow.release();
    await tooltipLoaded(button);
    await page.clock.runFor(2000);
    await expect(theTooltip(page)).toHaveCount(0);
  });

  test('does not open after Escape', async ({ page, world }) => {
    const button = await openFooterWithHeldScripts(page, world.slow);
    await page.locator('footer ul a').last().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    world.slow.release();
    await tooltipLoaded(button);
    await page.clock.runFor(2000);
    await expect(theTooltip(page)).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  test('does not open after a press', async ({ page, world }) => {
    const button = await openFooterWithHeldScripts(page, world.slow);
    const loads = page.waitForRequest('**/*.js');
    await button.hover();
    await loads;
    await button.click();
    world.slow.release();
    await expect(theToast(page)).toBeVisible();
    await page.clock.runFor(2000);
    await expect(theTooltip(page)).toHaveCount(0);
    await page.mouse.move(3, 3);
    await button.hover();
    await tooltipLoaded(button);
    await page.clock.runFor(710);
    await expect(theTooltip(page)).toBeVisible();
  });

  for (const when of ['before', 'after'] as const)
    test(`does not open after a press if the pointer trembles ${when} it loaded`, async ({
      page,
      world,
    }) => {
      const button = await openFooterWithHeldScripts(page, world.slow);
      await button.hover();
      await button.click();
      const tremble = () => button.hover({ position: { x: 20, y: 20 } });
      if (when === 'before') await tremble();
      world.slow.release();
      await tooltipLoaded(button);
      if (when === 'after') await tremble();
      await page.clock.runFor(2000);
      await expect(theTooltip(page)).toHaveCount(0);
    });

  test.describe(() => {
    test.use({ expectedComplaints: /ERR_FAILED/ });

    test('opens the next time if its code did not load', async ({ page }) => {
      const button = await openFooter(page);
      await page.route('**/*.js', (route) => route.abort());
      const failed = page.waitForEvent('requestfailed');
      await button.hover();
      await failed;
      await page.unroute('**/*.js');
      await page.mouse.move(3, 3);
      await button.hover();
      await expect(theTooltip(page)).toBeVisible();
    });
  });
});

test('§9: the tooltip: 700 ms, 300 ms, 4 px', async ({ page }) => {
  const button = await openFooter(page);
  const tooltip = theTooltip(page);
  // The tooltip stays while the pointer is on the path to it. It notices the first move that is
  // outside this path.
  const away = () =>
    expect(async () => {
      await page.mouse.move(3, 3);
      await page.mouse.move(5, 5);
      await expect(tooltip).toHaveCount(0, { timeout: 500 });
    }).toPass();
  await page.clock.pauseAt(Date.now() + 2000);
  await button.hover();
  await page.clock.runFor(690);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(20);
  await expect(tooltip).toBeVisible();
  const [above, below] = [await button.boundingBox(), await tooltip.boundingBox()];
  expect((below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))).toBeCloseTo(4, 0);
  await away();
  await page.clock.runFor(290);
  await button.hover();
  await page.clock.runFor(10);
  await expect(tooltip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
  await away();
  await page.clock.runFor(310);
  await button.hover();
  await page.clock.runFor(690);
  await expect(tooltip).toHaveCount(0);
  await page.clock.runFor(10);
  await expect(tooltip).toBeVisible();
});
