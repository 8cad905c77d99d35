import type { Page } from '@playwright/test';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { calm, scrollThrough, started, wake } from '../helpers/browser/page-steps.ts';
import { shareOf } from '../run/long-forms.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE, landingIn } from './routes.ts';

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

for (const [group, colorScheme] of (['light', 'dark'] as const).entries()) {
  for (const path of shareOf(EVERY_LANGUAGE, group, 2).map(landingIn)) {
    test.describe(`T0 axe, ${colorScheme}, ${path}`, () => {
      test.use({ colorScheme });

      test('as it arrives, scrolled through, with a toast', async ({ page }) => {
        await page.goto(path);
        await started(page);
        await expectNoComplaints(page, 'as it arrives');
        await wake(page);
        await expectNoComplaints(page, 'scrolled through', () => scrollThrough(page));
        await expectNoComplaints(page, 'with a toast', async () => {
          await page.locator('[data-island=opt-out] button').click();
          await expect(page.locator('[data-toast] button')).toBeVisible();
        });
      });

      test('with errors in the form, and with the film on', async ({ page }) => {
        await page.goto(path);
        await wake(page);
        await page.locator('form button').click();
        await expect(page.getByRole('alert')).toBeFocused();
        await expectNoComplaints(page, 'with errors');
        await page.locator('[data-island=video] [role=button]').click();
        await expect(page.locator('video')).toBeFocused();
        await expectNoComplaints(page, 'with the film on');
      });
    });
  }
}
