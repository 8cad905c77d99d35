import type { Page } from '@playwright/test';
import { expect, settle, test } from './fixtures.ts';

const SWITCH = /Turn (off counting on|counting on for) this device/;

async function openFooter(page: Page) {
  await page.clock.install();
  await page.goto('/');
  await settle(page);
  await page.locator('footer').scrollIntoViewIfNeeded();
  const button = page.getByRole('button', { name: SWITCH });
  await button.waitFor();
  return button;
}

/** Stops the page's clock. From now on only the test advances it. */
async function stopTheClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Shows one toast, so that its code loads. Then stops the clock and shows the toast under test. */
async function showToast(page: Page) {
  const button = await openFooter(page);
  const toast = page.locator('[data-toast][data-state=open]');
  await button.click();
  await expect(toast).toContainText('Counting is off');
  await stopTheClock(page);
  await button.click();
  await expect(toast).toContainText('Counting is on');
  return toast;
}

test.describe('a toast', () => {
  test('leaves after 5,000 ms', async ({ page }) => {
    const toast = await showToast(page);
    await page.clock.runFor(4999);
    await expect(toast).toBeVisible();
    await page.clock.runFor(1);
    await expect(toast).toHaveCount(0);
  });

  test('waits while the pointer rests on it', async ({ page }) => {
    const toast = await showToast(page);
    await toast.hover();
    await page.clock.runFor(20_000);
    await expect(toast).toBeVisible();
    await page.mouse.move(0, 0);
    await page.clock.runFor(5000);
    await expect(toast).toHaveCount(0);
  });

  test('there is one at most: the newest', async ({ page }) => {
    await showToast(page);
    await expect(page.locator('[data-toast]')).toHaveCount(1);
    await expect(page.locator('[data-toast]')).toContainText('Counting is on');
  });

  test('F8 focuses it, and its Dismiss closes it', async ({ page }) => {
    const toast = await showToast(page);
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await expect(toast).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(toast).toHaveCount(0);
  });

  for (const [px, leaves] of [
    [60, true],
    [40, false],
  ] as const) {
    test(`swiped ${px} px to the right it ${leaves ? 'leaves' : 'stays'}`, async ({ page }) => {
      const toast = await showToast(page);
      const box = await toast.boundingBox();
      const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 20];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let step = 10; step <= px; step += 10) await page.mouse.move(x + step, y);
      await page.mouse.up();
      await expect(toast).toHaveCount(leaves ? 0 : 1);
    });
  }
});

/** `--ok` and `--error` of renderer/css/message-colours.css. */
const STRIPS = {
  light: { default: 'rgb(20, 83, 45)', destructive: 'rgb(155, 28, 28)' },
  dark: { default: 'rgb(159, 216, 200)', destructive: 'rgb(255, 179, 173)' },
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the strip at the left of a toast has the colour of its kind (${colorScheme})`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    const button = await openFooter(page);
    const toast = page.locator('[data-toast][data-state=open]');
    await button.click();
    await expect(toast).toHaveAttribute('data-variant', 'default');
    await stopTheClock(page);
    await expect(toast).toHaveCSS('border-left-color', STRIPS[colorScheme].default);
    // As a browser that blocks storage.
    await page.evaluate(() => {
      Storage.prototype.removeItem = () => {
        throw new DOMException('blocked', 'SecurityError');
      };
    });
    await button.click();
    await expect(toast).toHaveAttribute('data-variant', 'destructive');
    await expect(toast).toHaveCSS('border-left-color', STRIPS[colorScheme].destructive);
  });
}

test.describe('the tooltip', () => {
  test('opens 700 ms after the pointer, is 4 px away, and Escape closes it', async ({ page }) => {
    const button = await openFooter(page);
    await stopTheClock(page);
    await button.hover();
    await page.clock.runFor(690);
    const tooltip = page.locator('[data-tooltip]');
    await expect(tooltip).toHaveCount(0);
    await page.clock.runFor(20);
    await expect(tooltip).toBeVisible();
    const [above, below] = [await button.boundingBox(), await tooltip.boundingBox()];
    expect((below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 0))).toBeCloseTo(4, 0);
    await page.keyboard.press('Escape');
    await expect(tooltip).toHaveCount(0);
  });

  test('opens at once when the pointer is back within 300 ms, and after 700 ms later on', async ({
    page,
  }) => {
    const button = await openFooter(page);
    const tooltip = page.locator('[data-tooltip]');
    // The tooltip stays while the pointer is on the path to it. It notices the first move that is outside this path.
    const away = () =>
      expect(async () => {
        await page.mouse.move(3, 3);
        await page.mouse.move(5, 5);
        await expect(tooltip).toHaveCount(0, { timeout: 500 });
      }).toPass();
    await stopTheClock(page);
    await button.hover();
    await page.clock.runFor(700);
    await expect(tooltip).toBeVisible();
    await away();
    await page.clock.runFor(290);
    await button.hover();
    await page.clock.runFor(10);
    await expect(tooltip).toBeVisible();
    await away();
    await page.clock.runFor(310);
    await button.hover();
    await page.clock.runFor(690);
    await expect(tooltip).toHaveCount(0);
    await page.clock.runFor(10);
    await expect(tooltip).toBeVisible();
  });

  for (const width of [390, 1280]) {
    test(`at ${width} px it says what the words above it do not, and covers no link or button`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      const button = await openFooter(page);
      const status = page.locator('[data-island=opt-out] p');
      const tooltip = page.locator('[data-tooltip]');
      for (const [state, remark] of [
        [/We count/, 'All else on this site works as before.'],
        [/Counting is off/, 'Counting helps us see what works.'],
      ] as const) {
        await expect(status).toHaveText(state);
        await page.locator('footer > ul a').last().focus();
        await page.keyboard.press('Tab');
        await expect(tooltip).toContainText(remark);
        expect(await status.textContent()).not.toContain(remark);
        const covered = await tooltip.evaluate((remark) => {
          const box = remark.getBoundingClientRect();
          return [...document.querySelectorAll('footer :is(a, button)')].filter((control) => {
            const { top, bottom, left, right } = control.getBoundingClientRect();
            return top < box.bottom && bottom > box.top && left < box.right && right > box.left;
          }).length;
        });
        expect(covered).toBe(0);
        await button.press('Enter');
      }
    });
  }

  test('opens at once on keyboard focus', async ({ page }) => {
    const button = await openFooter(page);
    await page.locator('footer a').last().focus();
    await page.keyboard.press('Tab');
    await expect(button).toBeFocused();
    await expect(page.locator('[data-tooltip]')).toBeVisible();
  });
});
