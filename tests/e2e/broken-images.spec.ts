/** An image that does not load leaves no icon in a large gap: all images are decoration. */
import { moduleRan, scrollThrough } from '../helpers/browser/page-waits.ts';
import { expect, test } from './fixtures.ts';

// Chromium's message about each image that the test blocks.
test.use({ expectedComplaints: /ERR_FAILED/ });

test('images that do not load are hidden, and others stay', async ({ page }) => {
  await page.route(/(insight|research)-(light|dark)/, (route) => route.abort());
  await page.goto('/');
  await moduleRan(page);
  await scrollThrough(page);
  const broken = page.locator('img:is([src*="insight-"], [src*="research-"])');
  await expect(broken).toHaveCount(2);
  await expect(broken.first()).toBeHidden();
  await expect(broken.last()).toBeHidden();
  await expect(page.locator('img[src*="connect-"]')).toBeVisible();
});
