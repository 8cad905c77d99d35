/** T15 for the landing page's messages: toasts, the form's errors, and the confirmation of a registration. */
import type { Locator, Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { form as formEn } from '../../words/en/form.ts';
import { islands as islandsEn } from '../../words/en/islands.ts';
import { form as formEs } from '../../words/es/form.ts';
import { islands as islandsEs } from '../../words/es/islands.ts';
import { liveRegions, liveValueOf } from '../helpers/browser/accessibility-tree.ts';
import { wake } from '../helpers/browser/page-steps.ts';
import { BUILDS } from './build-sites.ts';
import { expect, test } from './fixtures.ts';
import { EVERY_LANGUAGE } from './routes.ts';

test.use({ build: 'form', contextOptions: { reducedMotion: 'reduce' } });

const SHOWN_MS = 5000;
const site = readSiteConfig(BUILDS.form);
const WORDS = {
  en: { ...islandsEn(site), form: formEn(site) },
  es: { ...islandsEs(site), form: formEs(site) },
};

const FIRST_NAME_FAULT: Record<Language, string> = {
  en: 'First name must be at least 2 characters',
  es: 'El nombre debe tener al menos 2 letras',
};

const theToast = (page: Page) => page.locator('[data-toast]');

/** The footer's opt-out. Its words change with the state. */
const theSwitch = (page: Page) => page.locator('[data-island=opt-out] button');

async function open(page: Page, language: Language): Promise<void> {
  await page.goto(pathIn(language, '/'));
  await wake(page);
}

async function pressSwitch(page: Page): Promise<void> {
  await theSwitch(page).focus();
  await page.keyboard.press('Enter');
  await expect(theToast(page)).toBeVisible();
}

/** Opens the page with the clock stopped, and shows a toast by the keyboard. */
async function showToast(page: Page, language: Language): Promise<void> {
  await page.clock.install();
  await open(page, language);
  await pressSwitch(page);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 200);
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not shown');
  return box;
}

/** The names of the footer's controls, and of those that the toast covers. One look, because the toast closes by itself. */
const lookAtFooter = (toast: Locator) =>
  toast.evaluate((element) => {
    const a = element.getBoundingClientRect();
    const controls = [...document.querySelectorAll('footer :is(a, button)')].map((control) => {
      const b = control.getBoundingClientRect();
      const isApart =
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      return { name: control.textContent, isCovered: !isApart };
    });
    return {
      controls: controls.length,
      covered: controls.filter(({ isCovered }) => isCovered).map(({ name }) => name),
    };
  });

for (const [width, height] of [
  [320, 568],
  [375, 667],
  [390, 844],
  [844, 390],
  [768, 1024],
  [1280, 720],
] as const) {
  test(`T15 a toast from the footer's switch covers none of the footer's controls at ${width} × ${height}, in every language`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    for (const language of EVERY_LANGUAGE) {
      await open(page, language);
      await theSwitch(page).click();
      await expect(theToast(page)).toBeVisible();
      expect
        .soft(await lookAtFooter(theToast(page)), language)
        .toEqual({ controls: 8, covered: [] });
    }
  });
}

for (const language of EVERY_LANGUAGE) {
  const words = WORDS[language];
  const { form, 'opt-out': optOut } = words;

  test(`T15 a toast (${language}) is announced by a region that was there before it, and the focus stays`, async ({
    page,
  }) => {
    await open(page, language);
    expect(await liveRegions(page)).toContain('polite');
    await expect(theSwitch(page)).toHaveText(optOut.turnOff);
    for (const { title, description } of [optOut.nowOff, optOut.nowOn]) {
      await pressSwitch(page);
      await expect(theToast(page)).toContainText(title);
      expect(await liveValueOf(page, `${title}. ${description}`)).toBe('polite');
      await expect(theSwitch(page)).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(theToast(page)).toHaveCount(0);
    }
  });

  test(`T15 Escape closes a toast (${language}), and so does its button of 44 px`, async ({
    page,
  }) => {
    await open(page, language);
    await pressSwitch(page);
    await page.keyboard.press('Escape');
    await expect(theToast(page)).toHaveCount(0);
    await expect(theSwitch(page)).toBeFocused();

    await page.keyboard.press('Enter');
    const dismiss = page.getByRole('button', { name: words.toaster.dismiss });
    const box = await boxOf(dismiss);
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);
    await dismiss.click();
    await expect(theToast(page)).toHaveCount(0);
  });

  test(`T15 a toast (${language}) waits while it has the focus, which F8 brings`, async ({
    page,
  }) => {
    await showToast(page, language);
    await page.keyboard.press('F8');
    await page.keyboard.press('Tab');
    await page.clock.runFor(10 * SHOWN_MS);
    await expect(theToast(page)).toBeVisible();
    await theSwitch(page).focus();
    await page.clock.runFor(SHOWN_MS + 500);
    await expect(theToast(page)).toHaveCount(0);
  });

  test(`T15 the words of a toast (${language}) are still in the page an hour later`, async ({
    page,
  }) => {
    await showToast(page, language);
    await page.clock.fastForward('01:00:00');
    await expect(theToast(page)).toHaveCount(0);
    await expect(page.locator('footer').getByText(optOut.isOff)).toBeVisible();
  });

  test(`T15 the errors of the form (${language}) take the focus, appear next to their fields, and stay`, async ({
    page,
  }) => {
    await page.clock.install();
    await open(page, language);
    const field = page.getByLabel(form.firstName);
    await field.fill('A');
    await page.getByRole('button', { name: form.register, exact: true }).click();
    const summary = page.getByRole('alert');
    await expect(summary).toBeFocused();
    expect(await page.title()).toMatch(new RegExp(`^${form.error} `));
    await page.clock.fastForward('01:00:00');
    const first = summary.getByRole('link').first();
    const message = (await first.textContent()) ?? '';
    expect(message).toBe(FIRST_NAME_FAULT[language]);
    await first.click();
    await expect(field).toBeFocused();
    await expect(field).toHaveAccessibleDescription(message);
    await expect(field).toHaveValue('A');
  });

  test(`T15 a registration (${language}) is announced, and still confirmed in the page an hour later`, async ({
    page,
  }) => {
    await page.clock.install();
    await open(page, language);
    await page.getByLabel(form.firstName).fill('Ada');
    await page.getByLabel(form.lastName).fill('Lovelace');
    await page.getByLabel(form.email).fill(`an-hour-${language}@example.org`);
    await page.getByLabel(form.agree).check();
    await page.getByRole('button', { name: form.register, exact: true }).click();
    const confirmed = page.getByRole('heading', { name: form.welcome });
    await expect(confirmed).toBeFocused();
    expect(await liveValueOf(page, form.successful.title)).toBe('polite');
    await page.clock.fastForward('01:00:00');
    await expect(confirmed).toBeVisible();
    await expect(page.getByText(form.mailFollows)).toBeVisible();
  });
}
