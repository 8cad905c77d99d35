import { settle, test } from './fixtures.ts';

test.use({ build: 'form' });
for (const width of [390, 1280])
  test(`look ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/#counting');
    await settle(page);
    await page.locator('#counting summary').click();
    await page.locator('#counting').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'counting on this device' }).waitFor();
    await page.locator('footer').screenshot({ path: `/tmp/gpc/footer-${width}.png` });
    await page
      .locator('section:has(#privacy), section[aria-labelledby=privacy]')
      .first()
      .screenshot({ path: `/tmp/gpc/privacy-${width}.png` });
  });
