/** §3, §5 and §8: the registration form in both languages. no-script.spec.ts sends it without script. */

import type { Page } from '@playwright/test';
import { type Language, pathIn } from '#contract/language.ts';
import { countingDetails } from '../../words/en/counting.ts';
import { liveValueOf } from '../helpers/browser/accessibility-tree.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { FACTS, FALLBACK, MESSAGES, WELCOME, WORDS } from '../helpers/browser/form-words.ts';
import { NEWER_APIS, takeAway } from '../helpers/browser/old-browser.ts';
import { layoutFaults } from '../helpers/browser/page-layout.ts';
import { calm } from '../helpers/browser/page-steps.ts';
import { settle } from '../helpers/browser/page-waits.ts';
import { targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { capturedEvents, expect, loggedClicks, test, visitPart } from './fixtures.ts';

test.use({
  build: 'form',
  // Chromium's messages about the failures that a test causes.
  expectedComplaints: /50\d|400|Failed to load|ERR_/,
});

const { en } = WORDS;

const ready = (page: Page) => page.locator('[data-island=register-form][data-ready]').waitFor();

async function openForm(page: Page, ref: string, language: Language = 'en'): Promise<void> {
  await page.goto(`${pathIn(language, '/')}?ref=${ref}#register`);
  await settle(page);
  await ready(page);
}

async function fill(page: Page, email: string, language: Language = 'en'): Promise<void> {
  const words = WORDS[language];
  await page.getByLabel(words.firstName).fill('Wilhelmina');
  await page.getByLabel(words.lastName).fill('Featherstone');
  await page.getByLabel(words.email).fill(email);
  await page.getByLabel(words.smaTypes['Type 2']).check();
  await page.getByLabel(words.agree).check();
}

const button = (page: Page, language: Language = 'en') =>
  page.getByRole('button', { name: WORDS[language].register, exact: true });
const success = (page: Page, language: Language = 'en') =>
  page.getByRole('heading', { name: WELCOME[language] });
const theToast = (page: Page) => page.locator('[data-toast][data-state=open]');

test('§3: it begins empty, and says what it is for', async ({ page, ref }) => {
  await openForm(page, ref);
  const form = page.locator('form');
  for (const label of [en.firstName, en.lastName, en.email]) {
    await expect(page.getByLabel(label)).toHaveValue('');
  }
  await expect(page.getByLabel('Prefer not to say')).toBeChecked();
  await expect(page.getByLabel(en.agree)).not.toBeChecked();
  await expect(form.getByRole('heading', { level: 3 })).toHaveText('Or hear from us by email');
  await expect(form).toContainText('This form does not create one.');
  await expect(form).toContainText(en.entries);
  const terms = form.getByRole('link', { name: `${en.terms} ${en.newTab}` });
  await expect(terms).toHaveAttribute('href', 'https://portal.example/terms');
  await terms.focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel(en.agree)).toBeFocused();
  const more = form.getByRole('link', { name: en.more });
  await expect(more).toHaveAttribute('href', /\/help\/privacy\//);
  await more.focus();
  await page.keyboard.press('Tab');
  await expect(button(page)).toBeFocused();
  // The page around it still has the address, the answers and the words on counting.
  await expect(page.locator('footer a[href="mailto:hello@roadforward.example"]')).toBeVisible();
  for (const name of ['Questions and facts', 'See what this page counts']) {
    await expect(page.locator('main').getByRole('link', { name })).toBeVisible();
  }
});

for (const [language, width, colorScheme] of [
  ['en', 768, 'dark'],
  ['es', 320, 'light'],
] as const) {
  const words = WORDS[language];
  test.describe(() => {
    test.use({
      colorScheme,
      viewport: { width, height: 800 },
      contextOptions: { reducedMotion: 'reduce' },
    });

    test(`§5, T15: its errors (${language}) take the focus and stay`, async ({ page, ref }) => {
      await page.clock.install();
      await openForm(page, ref, language);
      const title = await page.title();
      const field = page.getByLabel(words.firstName);
      await field.fill('A');
      await button(page, language).click();
      const summary = page.getByRole('alert').filter({ hasText: words.problem });
      await expect(summary).toBeFocused();
      await expect(summary.getByRole('link')).toHaveText(MESSAGES[language]);
      await expect(page).toHaveTitle(`${words.error} ${title}`);
      expect.soft(await axeComplaints(page), 'T0').toEqual([]);
      expect.soft(targetFaults(await targetsOf(page), width), 'T3').toEqual([]);
      await page.setViewportSize({ width: 320, height: 256 });
      await calm(page);
      expect.soft(await layoutFaults(page), 'T4').toEqual([]);
      await page.setViewportSize({ width, height: 800 });
      await page.clock.fastForward('01:00:00');
      await summary.getByRole('link').first().click();
      await expect(field).toBeFocused();
      await expect(field).toHaveAccessibleDescription(MESSAGES[language][0] ?? '');
      await expect(field).toHaveValue('A');
      await toggleFilm(page);
      await expect(page.locator('video')).toHaveJSProperty('paused', false);
      expect.soft(await axeComplaints(page), 'T0 with the film on').toEqual([]);
    });

    test(`§4, T15: a registration (${language}) is confirmed`, async ({ page, world, ref }) => {
      const email = `${ref}@example.org`;
      // A network of its own, because mails of a network that registers a lot wait for ten seconds each.
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${width % 250}` });
      await page.clock.install();
      await openForm(page, ref, language);
      await fill(page, email, language);
      const sent = page.waitForRequest(/\/api\/register/);
      await button(page, language).click();
      expect((await sent).postDataJSON()).toMatchObject({ email, smaType: 'Type 2' });
      await expect(success(page, language)).toBeFocused();
      expect(await liveValueOf(page, words.successful.title)).toBe('polite');
      expect.soft(await axeComplaints(page), 'T0').toEqual([]);
      await page.clock.fastForward('01:00:00');
      await expect(success(page, language)).toBeVisible();
      await expect(page.getByText(words.mailFollows)).toBeVisible();

      const mails = () => world.smtp.received.filter(({ to }) => to?.[0]?.address === email);
      await expect.poll(() => mails().length).toBe(1);
      const [mail] = mails();
      if (language === 'es') expect(mail?.subject).toBe('Su inscripción: próximos pasos');
      expect(mail?.text).toContain('/create-account?invitation_code=');
    });
  });
}

test('§4, §8: the keyboard alone fills and sends it', async ({ page, world, ref }) => {
  await openForm(page, ref);
  await page.getByLabel(en.firstName).focus();
  // Past the type, and past the link to the terms.
  for (const key of ['Wilhelmina', 'Tab', 'Featherstone', 'Tab', 'grace@example.org', 'Tab']) {
    if (key === 'Tab') await page.keyboard.press(key);
    else await page.keyboard.type(key);
  }
  for (const key of ['Space', 'Tab', 'Tab', 'Space', 'Enter']) await page.keyboard.press(key);
  await expect(success(page)).toBeFocused();
  await expect(page.getByText('An email with next steps will follow.')).toBeVisible();
  await expect(theToast(page)).toContainText('Registration Successful!');
  await expect(theToast(page)).toContainText(
    'Welcome to the SMA Data Drive. Check your email for next steps.',
  );
  await expect(page.getByLabel(en.firstName)).toHaveCount(0);
  await expect(page.locator('[data-cta=closing]')).toBeHidden();

  const [submitted] = await capturedEvents(world, 'registration_submitted', ref, 1);
  const [succeeded] = await capturedEvents(world, 'registration_succeeded', ref, 1);
  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  for (const event of [submitted, succeeded]) {
    expect(visitPart(event?.properties ?? {})).toEqual(visitPart(view?.properties ?? {}));
  }
  const kept = JSON.stringify([world.posthog.events, world.site.lines()]);
  expect(kept).not.toMatch(/Wilhelmina|Featherstone|grace@/);
});

test('typed text survives a reload until it is sent', async ({ page, ref }) => {
  await openForm(page, ref);
  await fill(page, 'reload@example.org');
  await page.reload();
  await settle(page);
  await ready(page);
  await expect(page.getByLabel(en.firstName)).toHaveValue('Wilhelmina');
  await expect(page.getByLabel(en.email)).toHaveValue('reload@example.org');
  await expect(page.getByLabel('Type 2')).toBeChecked();
  const keys = () => page.evaluate(() => Object.keys(sessionStorage));
  expect(await keys()).toEqual(['register-draft']);
  await button(page).click();
  await expect(success(page)).toBeVisible();
  expect(await keys()).toEqual([]);
  await page.goto('/help/privacy/');
  for (const name of ['/api/register', 'register-draft']) {
    await expect(page.locator('main code').getByText(name, { exact: true })).toBeVisible();
  }
});

test('§7: text typed before the script is kept and sent', async ({ page }) => {
  await page.goto('/#register');
  await page.evaluate(() => {
    const input = (selector: string) => document.querySelector(selector) as HTMLInputElement;
    input('#register-firstName').value = 'Early';
    input('#register-email').value = 'early@example.org';
    input('[value="Type 3"]').checked = true;
    input('#register-agreedToTerms').checked = true;
  });
  await settle(page);
  await ready(page);
  await expect(page.getByLabel(en.firstName)).toHaveValue('Early');
  await expect(page.getByLabel('Type 3')).toBeChecked();
  await page.getByLabel(en.lastName).fill('Bird');
  const sent = page.waitForRequest('**/api/register');
  await button(page).click();
  expect((await sent).postDataJSON()).toEqual({
    firstName: 'Early',
    lastName: 'Bird',
    email: 'early@example.org',
    smaType: 'Type 3',
    agreedToTerms: true,
    filledMs: expect.any(Number),
  });
  await expect(success(page)).toBeVisible();
});

/**
 * Checks that the toast and the words above the form say the same, and that these words have the focus in view. Only the toast
 * has the status code of the response.
 */
async function expectFailure(page: Page, language: Language, text: string, status = '') {
  const words = WORDS[language];
  const toast = theToast(page);
  await expect(toast.getByText(words.failed, { exact: true })).toBeVisible();
  await expect(toast.getByText(status + text, { exact: true })).toBeVisible();
  await expect(toast).toHaveAttribute('data-variant', 'destructive');
  const summary = page.locator('form').getByRole('alert');
  await expect(summary.getByRole('listitem')).toHaveText([text]);
  await expect(summary).toBeFocused();
  await expect(summary).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel(words.email)).toHaveValue('later@example.org');
}

for (const language of ['en', 'es'] as const) {
  test(`§8: each failure (${language}) is told in words`, async ({ page, context, world, ref }) => {
    await openForm(page, ref, language);
    await fill(page, 'later@example.org', language);
    const again = theToast(page).getByRole('button', { name: WORDS[language].tryAgain });
    // Our own server's answer to a body that the form does not send.
    await page.route(
      /\/api\/register/,
      (route) => route.continue({ postData: JSON.stringify({ email: 'later@example.org' }) }),
      { times: 1 },
    );
    await button(page, language).click();
    const [first, last, , agree] = MESSAGES[language];
    await expectFailure(page, language, `${first}. ${last}. ${agree}`, '400: ');
    for (const answer of [
      { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' },
      { status: 200, contentType: 'application/json', body: '{"login":true}' },
    ]) {
      await page.route(/\/api\/register/, (route) => route.fulfill(answer), { times: 1 });
      await again.click();
      await expectFailure(page, language, FALLBACK[language]);
    }
    await context.setOffline(true);
    await button(page, language).click();
    await expectFailure(page, language, FALLBACK[language]);
    await context.setOffline(false);
    await capturedEvents(world, 'registration_succeeded', ref, 0);
    await again.click();
    await expect(success(page, language)).toBeVisible();
    const failed = await capturedEvents(world, 'registration_failed', ref, 4);
    expect(JSON.stringify(failed)).not.toMatch(/Wilhelmina|Featherstone|later@/);
  });
}

test('it gives up after ten seconds without an answer', async ({ page, ref }) => {
  await page.clock.install();
  await openForm(page, ref);
  await fill(page, 'later@example.org');
  const asked = page.waitForRequest('**/api/register');
  await page.route('**/api/register', () => {});
  await page.clock.runFor(2000);
  await button(page).click();
  await asked;
  await page.clock.runFor(10_000);
  await expectFailure(page, 'en', FALLBACK.en);
});

test('a double press registers once', async ({ page, ref }) => {
  await openForm(page, ref);
  await fill(page, 'quick@example.org');
  const bodies: { filledMs: number }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/register')) bodies.push(request.postDataJSON());
  });
  await button(page).dblclick();
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
  await expect(success(page)).toBeVisible();
  expect(bodies).toHaveLength(1);
  expect(bodies[0]?.filledMs).toBeGreaterThanOrEqual(2000);
});

test('a filled trap appears and says why', async ({ page, ref }) => {
  await openForm(page, ref);
  await fill(page, 'trapped@example.org');
  const trap = page.locator('#register-message');
  const width = () => trap.evaluate((input) => input.closest('[data-trap]')?.clientWidth ?? 0);
  expect(await width()).toBeLessThanOrEqual(1);
  await page.keyboard.press('Shift+Tab');
  await expect(trap).not.toBeFocused();
  await trap.evaluate((input: HTMLInputElement) => {
    // As an extension does it, in an isolated world.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    set?.call(input, 'a helpful extension');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(await width()).toBeGreaterThan(100);
  await button(page).click();
  const message = 'Please empty the field “Message”: it is there to stop robots';
  await page.getByRole('alert').getByRole('link', { name: message }).click();
  await expect(trap).toBeFocused();
  await expect(trap).toHaveAccessibleDescription(message);
  await trap.fill('');
  await button(page).click();
  await expect(success(page)).toBeVisible();
});

test('§7: each request to the API carries cookies', async ({ page, context, world, ref }) => {
  await takeAway(page, NEWER_APIS);
  await context.addCookies([{ name: 'kept', value: 'yes', url: world.url }]);
  const sent = ['/api/stats', '/api/log-cta', '/api/register'].map((path) =>
    page.waitForRequest((one) => new URL(one.url()).pathname === path),
  );
  await openForm(page, ref);
  await fill(page, 'with-cookies@example.org');
  await button(page).click();
  await expect(success(page)).toBeVisible();
  await page.click('[data-cta=hero]');
  for (const request of await Promise.all(sent)) {
    expect((await request.allHeaders()).cookie, request.url()).toBe('kept=yes');
  }
});

test('where a part of the address is kept, the words say so', async ({ page, world, ref }) => {
  await page.goto(`/help/privacy/?ref=${ref}`);
  const words = await page.locator('section:has(#counting) p').allInnerTexts();
  expect(words).toEqual(countingDetails(FACTS));
  expect(words.join()).toMatch(/we keep your .* without its last part/);
  expect(words.join()).toMatch(/It is in the European Union. It does not get your network address/);
  await page.click('[data-cta=help]');
  const [line] = await loggedClicks(world, ref, 1);
  expect(line?.remote_ip).toBe('127.0.0.0');
  const [event] = await capturedEvents(world, 'cta_click', ref, 1);
  expect(event?.properties.$ip).toBe('192.0.2.0');
  expect(JSON.stringify(world.posthog.events)).not.toContain('127.0.0.1');
});
