import type { Page } from '@playwright/test';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { calm, scrollThrough, started, wake } from '../helpers/browser/page-steps.ts';
import { expect, test } from './fixtures.ts';

// The build with the form shows everything that the other builds show, and more.
test.use({ build: 'form' });

const WIDTHS = [320, 768, 1280];

/** Runs axe at every width; `prepare` restores the state where a change of width would lose it. */
async function expectNoComplaints(page: Page, state: string, prepare?: () => Promise<unknown>) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await prepare?.();
    await calm(page);
    expect.soft(await axeComplaints(page), `${state}, ${width} px`).toEqual([]);
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`T0 axe, ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('as it arrives, scrolled through, with a toast', async ({ page }) => {
      await page.goto('/');
      await started(page);
      await expectNoComplaints(page, 'as it arrives');
      await wake(page);
      await expectNoComplaints(page, 'scrolled through', () => scrollThrough(page));
      await expectNoComplaints(page, 'with a toast', async () => {
        await page.getByRole('button', { name: 'counting on this device' }).click();
        await expect(page.getByRole('button', { name: 'Dismiss' })).toBeVisible();
      });
    });

    test('with errors in the form, and with the film on', async ({ page }) => {
      await page.goto('/');
      await wake(page);
      await page.getByRole('button', { name: 'Register', exact: true }).click();
      await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeVisible();
      await expectNoComplaints(page, 'with errors');
      await page.getByRole('button', { name: 'Play the film' }).click();
      await expect(page.locator('video')).toBeFocused();
      await expectNoComplaints(page, 'with the film on');
    });
  });

  test.describe(`T0 axe, ${colorScheme}, 404`, () => {
    // Chromium reports the document's own status as an error of the page.
    test.use({ colorScheme, expectedComplaints: /404 \(Not Found\)/ });

    test('the card of an unknown path', async ({ page }) => {
      await page.goto('/no-such-page');
      await expectNoComplaints(page, '404');
    });
  });
}
