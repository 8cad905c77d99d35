/** §4, §9 and T15: the toast and the tooltip of the footer's opt-out, and a help page's way to it. */

import type { Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { optOut as optOutEn } from '#words/en/opt-out.ts';
import { optOut as optOutEs } from '#words/es/opt-out.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { islands as islandsEn } from '../../words/en/islands.ts';
import { islands as islandsEs } from '../../words/es/islands.ts';
import { liveRegions, liveValueOf } from '../helpers/browser/accessibility-tree.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { enlargeText } from '../helpers/browser/page-layout.ts';
import { settle } from '../helpers/browser/page-waits.ts';
import { targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { BUILDS } from './build-sites.ts';
import { expect, test } from './fixtures.ts';

test.use({ contextOptions: { reducedMotion: 'reduce' } });

const site = readSiteConfig(BUILDS.tracked);
const WORDS = { en: islandsEn(site), es: islandsEs(site) };
const SHOWN_MS = 5000;

const theSwitch = (page: Page) => page.locator('[data-island=opt-out] button');
const theToast = (page: Page) => page.locator('[data-toast][data-state=open]');
const theTooltip = (page: Page) => page.locator('[data-tooltip]');

async function openFooter(page: Page, language: Language = 'en') {
  await page.clock.install();
  await page.goto(pathIn(language, '/'));
  await settle(page);
  await page.locator('footer').scrollIntoViewIfNeeded();
  await theSwitch(page).waitFor();
  return theSwitch(page);
}

/** Stops the page's clock. From now on only the test advances it. */
async function stopTheClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Shows one toast, so that its code loads. Then stops the clock and shows the toast under test. */
async function showToast(page: Page) {
  const button = await openFooter(page);
  await button.click();
  await expect(theToast(page)).toContainText('Counting is off');
  await stopTheClock(page);
  await button.click();
  await expect(theToast(page)).toContainText('Counting is on');
  return theToast(page);
}

/** The names of the footer's controls that an element covers. One look, because a toast closes by itself. */
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
    expect(await liveRegions(page)).toContain('polite');
    for (const { title, description } of [optOut.nowOff, optOut.nowOn]) {
      await button.press('Enter');
      await expect(toast).toContainText(title);
      expect(await liveValueOf(page, `${title}. ${description}`)).toBe('polite');
      await expect(button).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(toast).toHaveCount(0);
      await expect(button).toBeFocused();
    }
    await page.keyboard.press('Enter');
    const strip = () => toast.evaluate((box) => getComputedStyle(box).borderLeftColor);
    const calmStrip = await strip();
    await toast.hover();
    // It waits under the pointer, and with the focus.
    await page.clock.fastForward(2 * SHOWN_MS);
    expect.soft(await axeComplaints(page), 'T0').toEqual([]);
    expect.soft(targetFaults(await targetsOf(page), width), 'T3').toEqual([]);
    for (const key of ['F8', 'Tab', 'Tab']) await page.keyboard.press(key);
    await expect(toast.getByRole('button', { name: toaster.dismiss })).toBeFocused();
    await page.mouse.move(2, 2);
    await page.clock.fastForward(2 * SHOWN_MS);
    await page.keyboard.press('Enter');
    await expect(toast).toHaveCount(0);
    await page.clock.fastForward('01:00:00');
    await expect(page.locator('footer').getByText(optOut.isOff)).toBeVisible();

    // As a browser that blocks storage.
    await page.evaluate(() => {
      Storage.prototype.removeItem = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
    });
    await button.click();
    await expect(toast).toContainText(optOut.notStored.title);
    expect(await strip()).not.toBe(calmStrip);
  });

  test(`tooltip and toast (${language}) cover nothing`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    const button = await openFooter(page, language);
    const status = page.locator('[data-island=opt-out] p');
    for (const [state, remark] of [
      [optOut.isOn, optOut.effect.on],
      [optOut.isOff, optOut.effect.off],
    ] as const) {
      await expect(status).toHaveText(state);
      await page.locator('footer > ul a').last().focus();
      await page.keyboard.press('Tab');
      await expect(theTooltip(page)).toContainText(remark);
      expect(await status.textContent()).not.toContain(remark);
      expect(await coveredBy(page, '[data-tooltip]')).toEqual([]);
      await button.press('Enter');
    }
    for (const [width, height] of [
      [320, 568],
      [844, 390],
      [768, 1024],
      [1280, 720],
    ] as const) {
      await page.keyboard.press('Escape');
      await expect(theToast(page)).toHaveCount(0);
      await page.setViewportSize({ width, height });
      await button.click();
      await expect(theToast(page)).toBeVisible();
      expect.soft(await coveredBy(page, '[data-toast]'), `${width} × ${height}`).toEqual([]);
    }
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 320, height: 256 });
    await enlargeText(page, 2);
    await button.press('Enter');
    const dismiss = theToast(page).getByRole('button');
    await expect(dismiss).toBeVisible();
    for (const key of ['F8', 'Tab', 'Tab']) await page.keyboard.press(key);
    await expect(dismiss).toBeFocused();
    await expect(dismiss).toBeInViewport({ ratio: 1 });
  });
}

test('§9: the tooltip: 700 ms, 300 ms, 4 px', async ({ page }) => {
  const button = await openFooter(page);
  const tooltip = theTooltip(page);
  // The tooltip stays while the pointer is on the path to it. It notices the first move that is outside this path.
  const away = () =>
    expect(async () => {
      await page.mouse.move(3, 3);
      await page.mouse.move(5, 5);
      await expect(tooltip).toHaveCount(0, { timeout: 500 });
    }).toPass();
  await stopTheClock(page);
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

for (const [language, optOut] of [
  ['en', optOutEn],
  ['es', optOutEs],
] as const) {
  test(`a help page (${language}) leads to the opt-out`, async ({ page }) => {
    const { turnOff } = optOut({ logIp: 'full' });
    await page.goto(pathIn(language, HELP_PATHS.who));
    await page.locator('footer a[href$="#stop"]').click();
    await page.locator('section:has(#stop) p a').first().click();
    await expect(page.getByRole('button', { name: turnOff })).toBeInViewport();
  });
}
