/** The requests that leave the page when a visitor sends the form. */
import type { Page } from '@playwright/test';
import { NEWER_APIS, takeAway } from '../helpers/browser/old-browser.ts';
import { capturedEvents, expect, settle, test } from './fixtures.ts';

test.use({ build: 'form' });

/** Opens the form, fills it in and sends it. */
async function register(page: Page, ref: string): Promise<void> {
  await page.goto(`/?ref=${ref}#register`);
  await settle(page);
  await page.locator('[data-island=register-form][data-ready]').waitFor();
  await page.getByLabel('First name').fill('Wilhelmina');
  await page.getByLabel('Last name').fill('Featherstone');
  await page.getByLabel('Email address').fill(`${ref}@example.org`);
  await page.getByLabel('I agree to the terms and conditions').check();
  await page.getByRole('button', { name: 'Register' }).click();
}

const success = (page: Page) => page.getByText('An email with next steps will follow.');

test('each request to the API carries the cookies of this origin', async ({
  page,
  context,
  world,
}) => {
  await context.addCookies([{ name: 'kept', value: 'yes', url: world.url }]);
  const sent = ['/api/stats', '/api/log-cta', '/api/register'].map((path) =>
    page.waitForRequest((one) => new URL(one.url()).pathname === path),
  );
  await register(page, 'with-cookies');
  await expect(success(page)).toBeVisible();
  await page.click('[data-cta=hero]');
  for (const request of await Promise.all(sent)) {
    expect((await request.allHeaders()).cookie, request.url()).toBe('kept=yes');
  }
});

test('a browser without newer APIs can send it', async ({ page }) => {
  await takeAway(page, NEWER_APIS);
  await register(page, 'old-browser');
  await expect(success(page)).toBeVisible();
});

test.describe('where the registration fails', () => {
  test.use({ expectedComplaints: /503/ });
  test('PostHog gets that event, and none of the typed text', async ({ page, world }) => {
    const ref = 'fails-to-register';
    const error = { code: 'unavailable', message: 'Please try again.' };
    await page.route('**/api/register', (route) => route.fulfill({ status: 503, json: { error } }));
    await register(page, ref);
    const [failed] = await capturedEvents(world, 'registration_failed', ref, 1);
    await capturedEvents(world, 'registration_submitted', ref, 1);
    await capturedEvents(world, 'registration_succeeded', ref, 0);
    expect(failed?.properties).toMatchObject({ referrer: ref });
    expect(JSON.stringify(world.posthog.events)).not.toMatch(
      /Wilhelmina|Featherstone|example\.org/,
    );
  });
});
