import type { Locator, Page } from '@playwright/test';
import { liveRegions, liveValueOf } from '../helpers/browser/accessibility-tree.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const SHOWN_MS = 5000;
const SAID = 'Counting is off. From now on, this device sends no counts';

const theSwitch = (page: Page) => page.getByRole('button', { name: 'counting on this device' });
const theToast = (page: Page) => page.locator('[data-toast]');

/** Opens the page with the clock stopped, and shows a toast by the keyboard. */
async function showToast(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto('/');
  await wake(page);
  await theSwitch(page).focus();
  await page.keyboard.press('Enter');
  await expect(theToast(page)).toBeVisible();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 200);
}

test('T15 a toast is announced by a region that was there before it, and the focus stays', async ({
  page,
}) => {
  await page.goto('/');
  await wake(page);
  expect(await liveRegions(page)).toContain('polite');
  await theSwitch(page).focus();
  await page.keyboard.press('Enter');
  await expect(theToast(page)).toBeVisible();
  expect(await liveValueOf(page, SAID)).toBe('polite');
  await expect(theSwitch(page)).toBeFocused();
});

test('T15 Escape closes a toast, and so does its button of 44 px', async ({ page }) => {
  await page.goto('/');
  await wake(page);
  await theSwitch(page).focus();
  await page.keyboard.press('Enter');
  await expect(theToast(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(theToast(page)).toHaveCount(0);
  await expect(theSwitch(page)).toBeFocused();

  await page.keyboard.press('Enter');
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  const box = await dismiss.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await dismiss.click();
  await expect(theToast(page)).toHaveCount(0);
});

for (const [width, height] of [
  [320, 568],
  [375, 667],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1280, 720],
] as const) {
  test(`T15 a toast from the footer's switch covers none of the footer's controls at ${width} × ${height}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto('/');
    await wake(page);
    await theSwitch(page).click();
    await expect(theToast(page)).toBeVisible();
    const controls = await page.locator('footer :is(a, button)').all();
    expect(controls.length).toBe(8);
    const toast = await boxOf(theToast(page));
    for (const control of controls) {
      const box = await boxOf(control);
      const isCovered =
        box.x < toast.x + toast.width &&
        toast.x < box.x + box.width &&
        box.y < toast.y + toast.height &&
        toast.y < box.y + box.height;
      expect.soft(isCovered, `${await control.textContent()} is covered`).toBe(false);
    }
  });
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown');
  return box;
}

test('T15 a toast waits while it has the focus, which F8 brings', async ({ page }) => {
  await showToast(page);
  await page.keyboard.press('F8');
  await page.keyboard.press('Tab');
  await page.clock.runFor(10 * SHOWN_MS);
  await expect(theToast(page)).toBeVisible();
  await theSwitch(page).focus();
  await page.clock.runFor(SHOWN_MS + 500);
  await expect(theToast(page)).toHaveCount(0);
});

test('T15 the words of a toast are still in the page an hour later', async ({ page }) => {
  await showToast(page);
  await page.clock.fastForward('01:00:00');
  await expect(theToast(page)).toHaveCount(0);
  await expect(page.getByText('Counting is off on this device.')).toBeVisible();
});

test('T15 the errors of the form take the focus, appear next to their fields, and stay', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/');
  await wake(page);
  await page.getByLabel('First name').fill('A');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  const summary = page.getByRole('alert');
  await expect(summary).toBeFocused();
  expect(await page.title()).toMatch(/^Error: /);
  await page.clock.fastForward('01:00:00');
  const message = 'First name must be at least 2 characters';
  await summary.getByRole('link', { name: message }).click();
  await expect(page.getByLabel('First name')).toBeFocused();
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription(message);
  await expect(page.getByLabel('First name')).toHaveValue('A');
});

test('T15 a registration is announced, and still confirmed in the page an hour later', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/');
  await wake(page);
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill('an-hour@example.org');
  await page.getByLabel('I agree to the terms and conditions').check();
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await expect(page.getByRole('heading', { name: /^Welcome to the/ })).toBeFocused();
  expect(await liveValueOf(page, 'Registration Successful!')).toBe('polite');
  await page.clock.fastForward('01:00:00');
  await expect(page.getByRole('heading', { name: /^Welcome to the/ })).toBeVisible();
  await expect(page.getByText('next steps will follow')).toBeVisible();
});
