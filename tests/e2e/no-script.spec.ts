/** Every page without script (T9). */
import type { Page } from '@playwright/test';
import { pageLook } from '../helpers/browser/page-look.ts';
import { toggleFilm } from '../helpers/browser/page-steps.ts';
import { expect, newClicks, test } from './fixtures.ts';
import {
  EVERY_LANGUAGE,
  everyHelpPageIn,
  landingIn,
  MISSING_COMPLAINT,
  missingIn,
} from './routes.ts';

test.use({ build: 'form', javaScriptEnabled: false });

for (const language of EVERY_LANGUAGE) {
  test.describe(() => {
    test.use({ expectedComplaints: MISSING_COMPLAINT });

    test(`T9 without script every word of every page (${language}) is seen`, async ({ page }) => {
      const paths = [landingIn(language), ...everyHelpPageIn(language), missingIn(language)];
      for (const path of paths) {
        await page.goto(path);
        expect.soft(await unseenWords(page), path).toEqual([]);
      }
    });
  });
}

async function unseenWords(page: Page): Promise<(string | null)[]> {
  return page.evaluate(
    ({ texts, isShown }) => {
      const seen = new Set(texts().map(({ element }) => element));
      const home = document.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href;
      const isFaint = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).opacity !== '1' || isFaint(element.parentElement));
      return (
        [...document.querySelectorAll<HTMLElement>('main *, footer *')]
          .filter(({ childElementCount, textContent }) => childElementCount === 0 && textContent)
          .filter(
            (element) =>
              !element.closest('svg, [role=status], [data-trap], script, style, button[hidden]'),
          )
          // Addresses of this page, or of pages below it, are on paper only.
          .filter(({ textContent }) => !home || !textContent?.startsWith(home))
          .filter((element) => !seen.has(element) || !isShown(element) || isFaint(element))
          .map(({ textContent }) => textContent)
      );
    },
    await pageLook(page),
  );
}

test('T9 without script the call to action leads to the portal, and is counted', async ({
  page,
  context,
  world,
}) => {
  const before = world.site.lines().length;
  await page.goto('/');
  const portal = context.waitForEvent('page');
  await page.click('[data-cta=hero]');
  await (await portal).waitForURL('https://portal.example/create-account?invitation_code=SMADRIVE');
  const [line] = await newClicks(world, before, 1);
  expect(line?.event).toBe('hero_cta_click');
});

test('T9 without script the film plays with its captions', async ({ page }) => {
  await page.goto('/');
  const film = page.locator('video');
  await toggleFilm(page);
  await expect
    .poll(() =>
      film.evaluate(({ currentTime, textTracks }: HTMLVideoElement) => ({
        isPlaying: currentTime > 0,
        captions: [...textTracks].filter(({ mode }) => mode === 'showing').map((one) => one.label),
      })),
    )
    .toEqual({ isPlaying: true, captions: ['English'] });
});

test('T9 without script the form is sent, and its answer is a page', async ({ page }) => {
  await page.goto('/');
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill('ada@example.org');
  await page.getByLabel('I agree to the terms and conditions').check();
  const answer = page.waitForResponse('**/api/register');
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  expect((await answer).status()).toBeLessThan(400);
  const welcome = page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' });
  await expect(welcome).toBeVisible();
});

test.describe('a faulty form', () => {
  test.use({ expectedComplaints: /400 \(Bad Request\)/ });
  test('T9 without script it is answered with the filled form, where each message leads to its field', async ({
    page,
  }) => {
    await page.goto('/');
    const typed = '"><b>nonsense</b>';
    await page.getByLabel('First name').fill('A');
    await page.getByLabel('Email address').fill(typed);
    await page.getByLabel('Type 2').check();
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'There is a problem' })).toBeVisible();
    expect(page.url()).not.toContain('nonsense');
    await expect(page.getByRole('listitem')).toHaveText([
      'First name must be at least 2 characters',
      'Last name must be at least 2 characters',
      'Please enter a valid email address',
      'You must agree to the terms and conditions',
    ]);
    for (const item of await page.getByRole('listitem').all()) {
      const message = (await item.textContent()) ?? '';
      await item.getByRole('link').click();
      const field = page.locator(':focus');
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await expect(field).toHaveAccessibleDescription(message);
    }
    await expect(page.getByLabel('First name')).toHaveValue('A');
    await expect(page.getByLabel('Email address')).toHaveValue(typed);
    await expect(page.getByLabel('Type 2')).toBeChecked();
    await expect(page.locator('main b')).toHaveCount(0);
    await expect(page.locator('#register-message')).not.toHaveAttribute('aria-invalid');

    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('I agree to the terms and conditions').check();
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByRole('listitem')).toHaveText(['Please enter a valid email address']);
    await expect(page.getByLabel('I agree to the terms and conditions')).toBeChecked();
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByRole('heading', { name: /^Welcome to/ })).toBeVisible();
  });

  test('T9 without script a filled trap is in view, and its answer says what to do', async ({
    page,
  }) => {
    await page.goto('/');
    await page.getByLabel('First name').fill('Ada');
    const trap = page.locator('#register-message');
    const width = () => trap.evaluate((input) => input.closest('[data-trap]')?.clientWidth);
    expect(await width()).toBeLessThanOrEqual(1);
    await trap.evaluate((input: HTMLInputElement) => {
      input.value = 'a helpful extension';
    });
    expect(await width()).toBeGreaterThan(100);
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Message' })).toHaveText(
      'Please empty the field “Message”: it is there to stop robots',
    );
    await expect(page.getByLabel('First name')).toHaveValue('Ada');
    await page.getByRole('link', { name: /Message/ }).click();
    await expect(trap).toBeFocused();
    expect(await width()).toBeGreaterThan(100);
  });
});
