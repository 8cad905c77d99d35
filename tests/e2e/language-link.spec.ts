/** The link to the same page in the other language: it keeps the visitor's place and `ref`. The browser's languages only suggest it. */
import { started } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

test('the visitor of a help page stays at the same section, and keeps the ref', async ({
  page,
}) => {
  await page.goto('/help/questions/?ref=clinic-7#cost');
  await started(page);
  await page.locator('a[hreflang=es]').click();
  await page.waitForURL('/es/help/questions/?ref=clinic-7#cost');
  await expect(page.locator('#cost')).toBeInViewport();
});
