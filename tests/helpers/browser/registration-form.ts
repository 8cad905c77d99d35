/** The registration form of the landing page, in the build `form`. */
import { expect, type Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { WELCOME, WORDS } from './form-words.ts';
import { settle } from './page-waits.ts';

/**
 * Waits for the form's script. The locators are in the form's language.
 *
 * @param ref null: the page is already open
 */
export async function openForm(page: Page, ref: string | null, language: Language = 'en') {
  const words = WORDS[language];
  const form = {
    words,
    firstName: page.getByLabel(words.firstName),
    lastName: page.getByLabel(words.lastName),
    email: page.getByLabel(words.email),
    type2: page.getByLabel(words.smaTypes['Type 2']),
    agree: page.getByLabel(words.agree),
    button: page.getByRole('button', { name: words.register, exact: true }),
    summary: page.locator('form').getByRole('alert'),
    toast: page.locator('[data-toast][data-state=open]'),
    success: page.getByRole('heading', { name: WELCOME[language] }),
    async woken() {
      await settle(page);
      await page.locator('[data-island=register-form][data-ready]').waitFor();
    },
    async fill(email: string) {
      await form.firstName.fill('Wilhelmina');
      await form.lastName.fill('Featherstone');
      await form.email.fill(email);
      await form.type2.check();
      await form.agree.check();
    },
    /** The toast and the words above the form say why. Only the toast has the status code of the response. */
    async expectFailure(text: string, status = '') {
      await expect(form.toast.getByText(words.failed, { exact: true })).toBeVisible();
      await expect(form.toast.getByText(status + text, { exact: true })).toBeVisible();
      await expect(form.toast).toHaveAttribute('data-variant', 'destructive');
      await expect(form.summary.getByRole('listitem')).toHaveText([text]);
      await expect(form.summary).toBeFocused();
      await expect(form.summary).toBeInViewport({ ratio: 1 });
      await expect(form.email).toHaveValue('later@example.org');
    },
  };
  if (ref) await page.goto(`${pathIn(language, '/')}?ref=${ref}#register`);
  await form.woken();
  return form;
}
