/** The report of the growth team, in the browser. */
import { axeComplaints } from '../helpers/browser/axe.ts';
import { ADMIN_PASSWORD } from '../helpers/server/scrape.ts';
import { expect, loggedClicks, test } from './fixtures.ts';

test.use({
  serverEnv: { ADMIN_PASSWORD },
  httpCredentials: { username: 'team', password: ADMIN_PASSWORD },
});

test('the report shows a click at once, links to the report of each ref, and is accessible', async ({
  page,
  world,
}) => {
  await page.goto('/?ref=clinic-7');
  await page.click('[data-cta=hero]');
  await loggedClicks(world, 'clinic-7', 1);
  await page.goto('/report');
  await expect(page.locator('dd.big').nth(1)).toHaveText('1');
  await page.getByRole('link', { name: 'clinic-7' }).click();
  await expect(page).toHaveURL(/ref=clinic-7/);
  await page.getByLabel('Time zone').fill('Asia/Kathmandu');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page.getByText('time zone Asia/Kathmandu')).toBeVisible();
  for (const width of [320, 768, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect(await axeComplaints(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    }
  await page.getByRole('link', { name: 'Remove the filter ref' }).click();
  await expect(page).not.toHaveURL(/ref=clinic-7/);
});
