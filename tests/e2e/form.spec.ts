/**
 * §3 to §5, §7 and §8: the registration form in both languages. no-script.spec.ts sends it without
 * script; form-failures.spec.ts has what the visitor is told when it cannot be sent.
 */

import { axeComplaints } from '../helpers/browser/axe.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { NEWER_APIS, removeApis } from '../helpers/browser/old-browser.ts';
import { layoutFaults } from '../helpers/browser/page-layout.ts';
import { comeNear, islandsInViewReady } from '../helpers/browser/page-waits.ts';
import { EDGES, MESSAGES, openForm, SUCCESSFUL } from '../helpers/browser/registration-form.ts';
import { targetFaults } from '../helpers/browser/targets.ts';
import { capturedEvents, expect, test, visitPart } from './fixtures.ts';

test.use({
  build: 'form',
  // Chromium's messages about the failures that a test causes.
  expectedComplaints: /50\d|400|Failed to load|ERR_/,
});

test('§3, §4, §8: the keyboard alone sends it', async ({ page, world, ref }) => {
  const { words, ...form } = await openForm(page, ref);
  for (const field of [form.firstName, form.lastName, form.email])
    await expect(field).toHaveValue('');
  await expect(page.getByLabel('Prefer not to say')).toBeChecked();
  await expect(form.agree).not.toBeChecked();
  await expect(page.locator('form')).toContainText('This form does not create one.');
  await form.firstName.focus();
  for (const [text, next] of [
    ['Wilhelmina', form.lastName],
    ['Featherstone', form.email],
    ['grace@example.org', page.getByLabel('Prefer not to say')],
    ['', page.locator('form').getByRole('link', { name: words.terms })],
    ['', form.agree],
    [' ', page.locator('form').getByRole('link', { name: words.more })],
    ['', form.button],
  ] as const) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
    await expect(next).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(form.success).toBeFocused();
  await expect(page.getByText('An email with next steps will follow.')).toBeVisible();
  await expect(form.toast).toContainText('Registration Successful!');
  const welcome = 'Welcome to the SMA Data Drive. Check your email for next steps.';
  await expect(form.toast).toContainText(welcome);
  await expect(form.toast).toHaveCSS('border-left-color', EDGES.success);
  await expect(form.firstName).toHaveCount(0);
  await expect(page.locator('[data-cta=closing]')).toBeHidden();

  const [view] = await capturedEvents(world, '$pageview', ref, 1);
  for (const name of ['registration_submitted', 'registration_succeeded']) {
    const [event] = await capturedEvents(world, name, ref, 1);
    expect(visitPart(event?.properties ?? {})).toEqual(visitPart(view?.properties ?? {}));
  }
  const kept = JSON.stringify([world.posthog.events, world.site.lines()]);
  expect(kept).not.toMatch(/Wilhelmina|Featherstone|grace@/);
});

for (const [language, width, colorScheme] of [
  ['en', 1280, 'dark'],
  ['es', 320, 'light'],
] as const) {
  test.describe(() => {
    const viewport = { width, height: 800 };
    test.use({ colorScheme, viewport });

    test(`§5, T15: its errors (${language}) take the focus and stay; corrected, it is confirmed`, async ({
      page,
      world,
      ref,
    }) => {
      // A network of its own, because mails of a network that registers a lot wait for ten seconds
      // each.
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${width % 250}` });
      await page.clock.install();
      const { words, ...form } = await openForm(page, ref, language);
      const messages = MESSAGES[language];
      const title = await page.title();
      const links = form.summary.getByRole('link');
      await form.firstName.fill('A');
      await form.button.click();
      await expect(form.summary).toBeFocused();
      await expect(form.summary).toContainText(words.problem);
      await expect(links).toHaveText(messages);
      await expect(page).toHaveTitle(`${words.error} ${title}`);
      expect.soft(await axeComplaints(page), 'T0').toEqual([]);
      expect.soft(await targetFaults(page), 'T3').toEqual([]);
      expect.soft(await layoutFaults(page), 'T4').toEqual([]);
      await page.clock.fastForward('01:00:00');
      await links.first().click();
      await expect(form.firstName).toBeFocused();
      await expect(form.firstName).toHaveAccessibleDescription(messages[0] ?? '');
      await expect(form.firstName).toHaveValue('A');
      await toggleFilm(page);
      await expect(page.locator('video')).toHaveJSProperty('paused', false);
      expect.soft(await axeComplaints(page), 'T0 with the film on').toEqual([]);

      await form.firstName.fill('Wilhelmina');
      await expect(form.firstName).toHaveAccessibleDescription('');
      await expect(links).toHaveText(messages.slice(1));
      const email = `${ref}@example.co.uk`;
      await form.fill('');
      await form.email.focus();
      // The address is complete twice: with ".co", and with ".uk".
      await page.keyboard.type(email);
      await expect(form.email).toBeFocused();
      await expect(form.summary).toHaveCount(0);
      await expect(page).toHaveTitle(title);
      await form.button.click();
      await expect(form.success).toBeFocused();
      await expect(form.toast).toContainText(SUCCESSFUL[language]);
      await expect(form.success).toHaveAccessibleDescription(words.mailFollows);
      // Orca is silent if the heading with the focus is the first text in place of the form.
      await expect(page.locator('[data-registered]')).toMatchAriaSnapshot(`
        - paragraph: ${words.successful.title}
        - heading "${words.welcome}" [level=3]
        - paragraph: ${words.mailFollows}
      `);
      // The heading, which has the focus, says the same. One look, because a toast closes by
      // itself.
      expect(await page.getByRole('status').textContent()).toBe('');
      await page.clock.fastForward('01:00:00');
      await expect(page.getByText(words.mailFollows)).toBeVisible();
      const mails = () => world.smtp.received.filter(({ to }) => to?.[0]?.address === email);
      await expect.poll(() => mails().length).toBe(1);
      const [mail] = mails();
      if (language === 'es') expect(mail?.subject).toBe('Su inscripción: próximos pasos');
      expect(mail?.text).toContain('/create-account?invitation_code=');
    });
  });
}

for (const [language, width] of [
  ['en', 1280],
  ['es', 320],
] as const) {
  test(`a mistyped mail domain is asked about below the field (${language}), and the form can be sent`, async ({
    page,
    ref,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${width % 249}` });
    const { words, ...form } = await openForm(page, ref, language);
    const question = page.locator('[aria-live]', { hasText: words.didYouMean('gmail.com') });
    const yes = page.getByRole('button', { name: words.takeDomain('gmail.com') });
    const no = page.getByRole('button', { name: words.keepDomain });
    // The letters so far may become "gmail.com", until the field is left. The presses arrive.
    await form.fill('ana@gmail.co');
    await expect(form.agree).toBeChecked();
    await expect(question).toBeVisible();
    expect.soft(await axeComplaints(page), 'T0').toEqual([]);
    expect.soft(await targetFaults(page), 'T3').toEqual([]);
    expect.soft(await layoutFaults(page), 'T4').toEqual([]);
    await yes.click();
    await expect(form.email).toHaveValue('ana@gmail.com');
    await expect(form.email).toBeFocused();
    await expect(question).toHaveCount(0);
    expect(await page.evaluate(() => sessionStorage['register-draft'])).toContain(
      '"ana@gmail.com"',
    );

    await form.email.fill('');
    await page.keyboard.type(`${ref}@gmail.co`);
    await expect(question).toHaveCount(0);
    await page.keyboard.type('n');
    await expect(question).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(yes).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect(form.email).toBeFocused();
    await expect(form.email).toHaveValue(`${ref}@gmail.con`);
    await page.keyboard.press('Tab');
    await expect(no).toHaveCount(0);
    await form.email.fill(`${ref}@gmial.com`);
    await expect(question).toBeVisible();
    await form.button.click();
    await expect(form.success).toBeFocused();
  });
}

test('the form’s code loads when it comes near the view', async ({ page }) => {
  const form = page.locator('[data-island=register-form]');
  await page.goto('/');
  await islandsInViewReady(page);
  await expect(form).not.toHaveAttribute('data-ready');
  await comeNear(form);
  await expect(form).toHaveAttribute('data-ready');
  await expect(form).not.toBeInViewport();
});

test('a reload keeps the text, a trap says why, two presses send once', async ({ page, ref }) => {
  const form = await openForm(page, ref);
  await form.fill('reload@example.org');
  await page.reload();
  await form.hydrated();
  await expect(form.firstName).toHaveValue('Wilhelmina');
  await expect(form.email).toHaveValue('reload@example.org');
  await expect(form.type2).toBeChecked();
  const keys = () => page.evaluate(() => Object.keys(sessionStorage));
  expect(await keys()).toEqual(['register-draft']);
  const trap = page.getByLabel(form.words.trap);
  await trap.fill('a helpful extension');
  await page.reload();
  await form.hydrated();
  await expect(form.firstName).toHaveValue('Wilhelmina');
  await expect(trap).toHaveValue('');
  await trap.fill('a helpful extension');
  await form.button.click();
  await form.summary.getByRole('link', { name: /stop robots/ }).click();
  await page.getByRole('textbox', { name: form.words.trap }).fill('');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await form.button.dblclick();
  await expect(form.success).toBeVisible();
  expect(sent.filter((path) => path === '/api/register')).toHaveLength(1);
  expect(await keys()).toEqual([]);
});

test('§7: text typed before the script is sent, and each request has the cookies', async ({
  page,
  context,
  world,
}) => {
  await removeApis(page, NEWER_APIS);
  await context.addCookies([{ name: 'kept', value: 'yes', url: world.url }]);
  const sent = ['/api/register', '/api/stats', '/api/log-cta'].map((path) =>
    page.waitForRequest((one) => new URL(one.url()).pathname === path),
  );
  await page.goto('/#register');
  await page.evaluate(() => {
    const input = (selector: string) => document.querySelector(selector) as HTMLInputElement;
    input('#register-firstName').value = 'Early';
    input('#register-email').value = 'early@example.org';
    input('[value="Type 3"]').checked = true;
    input('#register-agreedToTerms').checked = true;
  });
  const form = await openForm(page, null);
  await form.lastName.fill('Bird');
  await form.button.click();
  await expect(form.success).toBeVisible();
  await page.click('[data-cta=hero]');
  const requests = await Promise.all(sent);
  expect(requests[0]?.postDataJSON()).toEqual({
    firstName: 'Early',
    lastName: 'Bird',
    email: 'early@example.org',
    smaType: 'Type 3',
    agreedToTerms: true,
  });
  for (const request of requests)
    expect((await request.allHeaders()).cookie, request.url()).toBe('kept=yes');
});
