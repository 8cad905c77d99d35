/** The link to the same page in the other language: it keeps the visitor's place and `ref`. The browser's languages only suggest it. */
import type { Page } from '@playwright/test';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { started } from '../helpers/browser/page-steps.ts';
import { expect, settle, test } from './fixtures.ts';

const link = (page: Page, language: string) => page.locator(`a[hreflang=${language}]`);

test('the visitor stays at the same section, and keeps the ref, there and back', async ({
  page,
}) => {
  await page.goto('/?ref=clinic-7#how-it-works');
  await started(page);
  await expect(link(page, 'es')).toHaveAttribute('href', /\/es\/\?ref=clinic-7#how-it-works$/);
  await page.locator('footer a[href="#benefits"]').click();
  await link(page, 'es').click();
  await page.waitForURL('/es/?ref=clinic-7#benefits');
  await expect(page.locator('#benefits')).toBeInViewport();
  await started(page);
  await link(page, 'en').click();
  await page.waitForURL('/?ref=clinic-7#benefits');
  await expect(page.locator('#benefits')).toBeInViewport();
});

test('the visitor of a help page stays at the same section, and keeps the ref', async ({
  page,
}) => {
  await page.goto('/help/questions/?ref=clinic-7#cost');
  await started(page);
  await page.locator('a[hreflang=es]').click();
  await page.waitForURL('/es/help/questions/?ref=clinic-7#cost');
  await expect(page.locator('#cost')).toBeInViewport();
});

/** Everything that a mark could move. */
const boxes = (page: Page) =>
  page
    .locator('h1, header a, main a, main h2')
    .evaluateAll((elements) =>
      elements.map((each) => JSON.stringify(each.getBoundingClientRect())),
    );

for (const [locale, path, other, words] of [
  ['es-MX', '/', 'es', 'Su navegador prefiere español'],
  ['en-US', '/es/', 'en', 'Your browser prefers English'],
] as const) {
  test.describe(`a browser that prefers ${locale}`, () => {
    test.use({ locale });

    test(`is shown ${path}, where the other language is marked and nothing moves`, async ({
      page,
    }) => {
      await page.goto(path);
      await settle(page);
      await expect(link(page, other)).toHaveAccessibleDescription(words);
      const background = () =>
        link(page, other).evaluate((element) => getComputedStyle(element).backgroundColor);
      expect(await background()).not.toBe('rgba(0, 0, 0, 0)');
      expect(new URL(page.url()).pathname).toBe(path);
      const marked = await boxes(page);
      await link(page, other).evaluate((element) => element.removeAttribute('data-suggested'));
      expect(await boxes(page)).toEqual(marked);
      expect(await axeComplaints(page)).toEqual([]);
    });
  });
}

test('a browser that prefers the page’s language sees no mark', async ({ page }) => {
  await page.goto('/');
  await settle(page);
  await expect(link(page, 'es')).toHaveAccessibleDescription('');
  await expect(page.locator('[data-suggested]')).toHaveCount(0);
});
