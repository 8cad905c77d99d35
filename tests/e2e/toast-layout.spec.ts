/** The layout of a toast with an action: "Registration Failed", the message that a visitor must be able to read at once. */
import type { Page } from '@playwright/test';
import { pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { form as formEn } from '../../words/en/form.ts';
import { form as formEs } from '../../words/es/form.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { BUILDS } from './build-sites.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE } from './routes.ts';

test.use({
  build: 'form',
  contextOptions: { reducedMotion: 'reduce' },
  expectedComplaints: /502 \(Bad Gateway\)/,
});

const site = readSiteConfig(BUILDS.form);
const WORDS = { en: formEn(site), es: formEs(site) };

const MIN_TITLE_EM = 10;
const MAX_SHARE_OF_VIEW = 0.4;
const MIN_TARGET_PX = 44;

const toastIn = (page: Page) => page.locator('[data-toast][data-state=open]');

/** Fills the form, lets its request fail, and waits for the toast. */
async function failToRegister(page: Page, language: keyof typeof WORDS): Promise<void> {
  const words = WORDS[language];
  await page.route(/\/api\/register/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
  );
  await page.goto(pathIn(language, '/'));
  await wake(page);
  await page.getByLabel(words.firstName).fill('Ada');
  await page.getByLabel(words.lastName).fill('Lovelace');
  await page.getByLabel(words.email).fill('toast@example.org');
  await page.getByLabel(words.agree).check();
  await page.getByRole('button', { name: words.register, exact: true }).click();
  await expect(toastIn(page).getByText(words.failed, { exact: true })).toBeVisible();
  // The toast waits for as long as the pointer is on it.
  await toastIn(page).hover();
}

/** Measures the toast, its title in the title's own em, and its buttons. */
const measure = (page: Page, title: string) =>
  toastIn(page).evaluate((toast, words) => {
    const heading = [...toast.children].find(({ textContent }) => textContent === words);
    if (!heading) throw new Error(`The toast has no title "${words}"`);
    const { top, bottom, left, right, height } = toast.getBoundingClientRect();
    return {
      titleEm:
        heading.getBoundingClientRect().width /
        Number.parseFloat(getComputedStyle(heading).fontSize),
      shareOfView: height / innerHeight,
      isInView: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
      buttons: [...toast.querySelectorAll('button')].map((button) => {
        const { width, height } = button.getBoundingClientRect();
        return { name: button.textContent, px: Math.min(width, height) };
      }),
    };
  }, title);

for (const language of EVERY_LANGUAGE) {
  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [768, 1024],
    [1280, 720],
  ] as const) {
    test(`a failed registration's toast (${language}) can be read at ${width} × ${height}, and has large buttons`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height });
      await failToRegister(page, language);
      const { failed } = WORDS[language];
      const { titleEm, shareOfView, isInView, buttons } = await measure(page, failed);
      expect.soft(titleEm, 'width of the title in em').toBeGreaterThanOrEqual(MIN_TITLE_EM);
      expect.soft(shareOfView, 'share of the view').toBeLessThanOrEqual(MAX_SHARE_OF_VIEW);
      expect.soft(isInView).toBe(true);
      expect(buttons).toHaveLength(2);
      for (const { name, px } of buttons)
        expect.soft(px, `${name}: its smaller side`).toBeGreaterThanOrEqual(MIN_TARGET_PX);
    });
  }
}
