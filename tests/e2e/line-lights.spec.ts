import type { Page } from '@playwright/test';
import { calm, scrollThrough, started } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test.use({ build: 'plain' });

/** How many percent of each visible piece of the line are not lit, from top to bottom of the document. */
const unlit = (page: Page): Promise<number[]> =>
  page.locator('svg[preserveAspectRatio=none] path:nth-child(4)').evaluateAll((segments) =>
    segments.flatMap((segment) => {
      if (!segment.checkVisibility()) return [];
      const { clipPath } = getComputedStyle(segment);
      if (clipPath === 'none') return 0;
      const [top, , bottom = top] = clipPath.match(/-?[\d.]+%/g) ?? [];
      const percent = Number.parseFloat(bottom ?? '');
      if (Number.isNaN(percent)) throw new Error(`An unknown clip: ${clipPath}`);
      return Math.max(0, percent);
    }),
  );

const goTo = async (page: Page, share: number): Promise<void> => {
  await page.evaluate(
    (share) =>
      scrollTo({ top: document.documentElement.scrollHeight * share, behavior: 'instant' }),
    share,
  );
  await calm(page);
};

for (const width of [390, 1280]) {
  test(`at ${width} px the line lights as far as the visitor scrolls, and stays lit on the way back and after a printout`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    await started(page);
    await expect.poll(async () => Math.max(...(await unlit(page)))).toBeGreaterThan(50);

    await goTo(page, 0.5);
    const halfway = await unlit(page);
    expect(Math.min(...halfway)).toBe(0);
    expect(Math.max(...halfway)).toBeGreaterThan(50);
    for (const share of [0.3, 0.1, 0]) {
      await goTo(page, share);
      expect(await unlit(page), `back at ${share * 100} % of the page`).toEqual(halfway);
    }
    await page.emulateMedia({ media: 'print' });
    await calm(page);
    await page.emulateMedia({ media: null });
    await calm(page);
    expect(await unlit(page), 'after the printout').toEqual(halfway);

    await scrollThrough(page);
    await expect.poll(async () => Math.max(...(await unlit(page)))).toBe(0);
    await goTo(page, 0);
    expect(Math.max(...(await unlit(page))), 'back at the top').toBe(0);
  });
}

test('with reduced motion the whole line is lit from the start', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  await started(page);
  await expect(page.locator('[data-reveal=""]')).toHaveCount(0);
  expect(Math.max(...(await unlit(page)))).toBe(0);
});

test.describe('where no script loads', () => {
  test.use({ expectedComplaints: /Failed to load resource/ });

  test('the whole line is lit', async ({ page }) => {
    await page.route('**/*.js', (route) => route.abort());
    await page.goto('/');
    expect(Math.max(...(await unlit(page)))).toBe(0);
  });
});
