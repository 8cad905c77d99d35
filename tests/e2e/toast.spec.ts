/** §4, §9 and T15: the toast of the footer's switch. tooltip.spec.ts has its tooltip. */

import type { Page } from '@playwright/test';
import { axeComplaints } from '../helpers/browser/axe.ts';
import {
  openFooter,
  theSwitch,
  theToast,
  theTooltip,
  WORDS,
} from '../helpers/browser/footer-switch.ts';
import { islandsInViewReady } from '../helpers/browser/page-waits.ts';
import { targetFaults } from '../helpers/browser/targets.ts';
import { expect, test } from './fixtures.ts';

const SHOWN_MS = 5000;

/** Shows one toast, so that its code loads. Then stops the clock and shows the toast under test. */
async function showToast(page: Page) {
  const button = await openFooter(page);
  await button.click();
  await expect(theToast(page)).toContainText('Counting is off');
  await page.clock.pauseAt(Date.now() + 2000);
  await button.click();
  await expect(theToast(page)).toContainText('Counting is on');
  return theToast(page);
}

/**
 * The names of the footer's controls that an element covers. One look, because a toast closes by
 * itself.
 */
const coveredBy = (page: Page, selector: string) =>
  page.locator(selector).evaluate((element) => {
    const a = element.getBoundingClientRect();
    const controls = [...document.querySelectorAll('footer :is(a, button)')];
    if (controls.length === 0) return ['no controls'];
    return controls
      .filter((control) => {
        const b = control.getBoundingClientRect();
        return a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
      })
      .map(({ textContent }) => textContent);
  });

test('§9: one toast at most, for 5,000 ms', async ({ page }) => {
  const toast = await showToast(page);
  await expect(page.locator('[data-toast]')).toHaveCount(1);
  await page.clock.runFor(4999);
  await expect(toast).toBeVisible();
  await page.clock.runFor(1);
  await expect(toast).toHaveCount(0);
  await theSwitch(page).click();
  await toast.hover();
  await page.clock.runFor(4 * SHOWN_MS);
  await expect(toast).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(SHOWN_MS);
  await expect(toast).toHaveCount(0);
});

test('§9: the first toast is announced while its code loads, and then stays for 5,000 ms', async ({
  page,
  world,
}) => {
  await page.clock.install();
  await page.goto(world.slow.url);
  await islandsInViewReady(page);
  await page.locator('footer').scrollIntoViewIfNeeded();
  await theSwitch(page).waitFor();
  world.slow.hold(/\.js$/);
  await page.clock.pauseAt(Date.now() + 2000);
  await theSwitch(page).click();
  await expect(page.getByRole('status')).toContainText('Counting is off');
  await page.clock.runFor(4 * SHOWN_MS);
  await expect(theToast(page)).toHaveCount(0);
  world.slow.release();
  await expect(theToast(page)).toContainText('Counting is off');
  await page.clock.runFor(SHOWN_MS - 1);
  await expect(theToast(page)).toBeVisible();
  await page.clock.runFor(1);
  await expect(theToast(page)).toHaveCount(0);
});

test.describe(() => {
  test.use({ expectedComplaints: /ERR_FAILED/ });

  test('a toast whose code did not load is shown the next time', async ({ page }) => {
    const button = await openFooter(page);
    await page.route('**/*.js', (route) => route.abort());
    await button.click();
    await expect(page.getByRole('status')).toContainText('Counting is off');
    await page.unroute('**/*.js');
    // The network alone shows no toast of the past, which may be false by now.
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    await expect(theToast(page)).toHaveCount(0);
    await button.click();
    await expect(theToast(page)).toContainText('Counting is on');
  });
});

test('a press does what the button says, and does not move it', async ({ page }) => {
  const button = await openFooter(page);
  const { turnOff, turnOn } = WORDS.en['opt-out'];
  await expect(button).toHaveText(turnOff);
  // As another program that shares the storage does, without an event.
  await page.evaluate(() => localStorage.setItem('counting', 'off'));
  const before = await button.boundingBox();
  await button.press('Enter');
  await expect(button).toHaveText(turnOn);
  expect(await page.evaluate(() => localStorage.getItem('counting'))).toBe('off');
  const after = await button.boundingBox();
  expect(after?.y).toBeCloseTo(before?.y ?? Number.NaN, 0);
});

test('§9: a swipe of 60 px closes it, of 40 px not', async ({ page }) => {
  const toast = await showToast(page);
  for (const [px, left] of [
    [40, 1],
    [60, 0],
  ] as const) {
    const box = await toast.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 20];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 10; step <= px; step += 10) await page.mouse.move(x + step, y);
    await page.mouse.up();
    await expect(toast).toHaveCount(left);
  }
});

for (const [language, width, colorScheme] of [
  ['en', 768, 'dark'],
  ['es', 320, 'light'],
] as const) {
  const { toaster, 'opt-out': optOut } = WORDS[language];

  test(`T15: a toast (${language}) is announced and closed`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const button = await openFooter(page, language);
    const toast = theToast(page);
    // The live region is there before the toast.
    const status = page.getByRole('status');
    await expect(status).toHaveText('');
    for (const { title, description } of [optOut.nowOff, optOut.nowOn]) {
      await button.press('Enter');
      await expect(toast).toContainText(title);
      await expect(status).toHaveText(`${title}. ${description}`);
      await expect(status).not.toHaveAttribute('aria-live', 'off');
      await expect(button).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(toast).toHaveCount(0);
      await expect(button).toBeFocused();
    }
    await page.keyboard.press('Enter');
    await toast.hover();
    // It waits under the pointer, and with the focus.
    await page.clock.fastForward(2 * SHOWN_MS);
    expect.soft(await axeComplaints(page), 'T0').toEqual([]);
    expect.soft(await targetFaults(page), 'T3').toEqual([]);
    for (const key of ['F8', 'Tab', 'Tab']) await page.keyboard.press(key);
    await expect(toast.getByRole('button', { name: toaster.dismiss })).toBeFocused();
    await page.mouse.move(2, 2);
    await page.clock.fastForward(2 * SHOWN_MS);
    await page.keyboard.press('Enter');
    await expect(toast).toHaveCount(0);
    await page.clock.fastForward('01:00:00');
    await expect(page.locator('footer').getByText(optOut.isOff)).toBeVisible();
  });
}

test('tooltip and toast cover nothing', async ({ page }) => {
  const { effect } = WORDS.en['opt-out'];
  const button = await openFooter(page);
  await page.locator('footer ul a').last().focus();
  await page.keyboard.press('Tab');
  await expect(theTooltip(page)).toContainText(effect.on);
  expect(await coveredBy(page, '[data-tooltip]')).toEqual([]);
  for (const [width, height] of [
    [320, 568],
    [844, 390],
    [1280, 720],
  ] as const) {
    await page.keyboard.press('Escape');
    await expect(theToast(page)).toHaveCount(0);
    await page.setViewportSize({ width, height });
    await button.click();
    await expect(theToast(page)).toBeVisible();
    expect.soft(await coveredBy(page, '[data-toast]'), `${width} × ${height}`).toEqual([]);
  }
});
