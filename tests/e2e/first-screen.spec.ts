import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

const skipped = (page: Page) =>
  page.evaluate(
    () =>
      [...document.querySelectorAll('main > section')].filter(
        (section) => getComputedStyle(section).contentVisibility !== 'visible',
      ).length,
  );

test('what is far below is laid out after the first paint', async ({ page }) => {
  await page.goto('/');
  await expect.poll(() => skipped(page)).toBe(0);
});

test.describe('where no script comes', () => {
  test.use({ expectedComplaints: /Failed to load resource/ });
  test('what is far below is laid out all the same', async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/');
    await expect.poll(() => skipped(page)).toBe(0);
    const closing = page.locator('[data-cta=closing]');
    await closing.scrollIntoViewIfNeeded();
    await expect(closing).toBeInViewport();
  });
});

test('a fragment leads to its heading', async ({ page }) => {
  await page.goto('/#impact');
  await expect(page.locator('#impact')).toBeInViewport();
  await page.waitForLoadState('load');
  await expect(page.locator('#impact')).toBeInViewport();
  expect(await skipped(page)).toBe(0);
});

test('who reloads finds the place again', async ({ page }) => {
  await page.goto('/');
  await expect.poll(() => skipped(page)).toBe(0);
  await page.evaluate(() =>
    document.querySelector('#impact')?.scrollIntoView({ behavior: 'instant' }),
  );
  const before = await page.evaluate(() => scrollY);
  await page.reload();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before);
  await expect(page.locator('#impact')).toBeInViewport();
});

test.describe('who is at the end before the rest is laid out', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });
  test('keeps it in view', async ({ page, world }) => {
    world.slow.cut('<footer');
    await page.goto(world.slow.url, { waitUntil: 'commit' });
    await expect.poll(() => skipped(page)).toBeGreaterThan(0);
    const closing = page.locator('[data-cta=closing]');
    await closing.focus();
    const before = await closing.boundingBox();
    world.slow.release();
    await expect.poll(() => skipped(page)).toBe(0);
    // The typefaces come in meanwhile, which may move a line by a fraction of a pixel.
    const moved = ((await closing.boundingBox())?.y ?? 0) - (before?.y ?? 0);
    expect(Math.abs(moved)).toBeLessThan(2);
  });
});
