/** Fills in and checks the registration form of the landing page, in the build `form`. */
import { expect, type Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { readSiteConfig } from '#site.config.ts';
import { form as formEn } from '../../../words/en/form.ts';
import { form as formEs } from '../../../words/es/form.ts';
import { BUILDS } from '../run/build-sites.ts';
import { islandsInViewReady } from './page-waits.ts';

const SITE = readSiteConfig(BUILDS.form);
export const WORDS = { en: formEn(SITE), es: formEs(SITE) };
/** Error messages of the form: the specification's texts, and their translations. */
export const MESSAGES: Record<Language, string[]> = {
  en: [
    'First name must be at least 2 characters',
    'Last name must be at least 2 characters',
    'Please enter a valid email address',
    'You must agree to the terms and conditions',
  ],
  es: [
    'El nombre debe tener al menos 2 letras',
    'El apellido debe tener al menos 2 letras',
    'Escriba una dirección de correo electrónico válida',
    'Debe aceptar los términos y condiciones',
  ],
};
export const WELCOME = {
  en: 'Welcome to the SMA Data Drive!',
  es: '¡Le damos la bienvenida a SMA Data Drive!',
};
/** The titles of the toasts. */
export const SUCCESSFUL = { en: 'Registration Successful!', es: '¡Inscripción completada!' };
const FAILED = { en: 'Registration Failed', es: 'No se pudo completar la inscripción' };
/** Colours of a toast's left edge, in the light scheme. */
export const EDGES = { success: 'rgb(20, 83, 45)', failure: 'rgb(155, 28, 28)' };
export const FALLBACK = 'Something went wrong. Please try again.';

/**
 * Opens the landing page with a ref, and waits until the form is hydrated.
 *
 * @param ref null: the page is open already
 * @returns locators of the form's elements, in its language, and functions to use it
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
    /** Waits until the form is hydrated. */
    async hydrated() {
      await islandsInViewReady(page);
      await page.locator('[data-island=register-form][data-ready]').waitFor();
    },
    async fill(email: string) {
      await form.firstName.fill('Wilhelmina');
      await form.lastName.fill('Featherstone');
      await form.email.fill(email);
      await form.type2.check();
      await form.agree.check();
    },
    /**
     * Expects that the form was not sent, and that the summary above it and the toast say why.
     *
     * @param inToast the reason in the toast: status code and text of the server's answer
     */
    async expectFailure(text: string, inToast = text) {
      await expect(form.toast.getByText(FAILED[language], { exact: true })).toBeVisible();
      await expect(form.toast.getByText(inToast, { exact: true })).toBeVisible();
      expect(await page.getByRole('status').textContent()).toBe('');
      await expect(form.toast).toHaveAttribute('data-variant', 'destructive');
      await expect(form.toast).toHaveCSS('border-left-color', EDGES.failure);
      await expect(form.summary.getByRole('listitem')).toHaveText([text]);
      await expect(form.summary).toBeFocused();
      await expect(form.summary).toBeInViewport({ ratio: 1 });
      await expect(form.email).toHaveValue('later@example.org');
    },
  };
  if (ref) await page.goto(`${pathIn(language, '/')}?ref=${ref}#register`);
  await form.hydrated();
  return form;
}

/**
 * Opens the Spanish page in a small window and registers, with a faked answer. The toast is at the
 * top of the view then, over a room of the confirmation.
 *
 * @returns as `openForm`, and `card`: the box around the confirmation
 */
export async function registerInSmallWindow(page: Page) {
  await page.setViewportSize({ width: 320, height: 400 });
  const form = await openForm(page, 'small', 'es');
  await fakeRegistration(page);
  await form.fill('small@example.org');
  await form.button.press('Enter');
  await expect(form.toast).toBeVisible();
  const card = page.locator('[data-registered]');
  await expect(card).toHaveAttribute('style', /padding-top/);
  return { ...form, card };
}

/** Answers each registration at once, in place of the server. */
export const fakeRegistration = (page: Page) =>
  page.route(/\/api\/register/, (route) => route.fulfill({ json: { status: 'registered' } }));
