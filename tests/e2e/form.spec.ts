/** §3 to §5, §7 and §8: the registration form in both languages. no-script.spec.ts sends it without script. */

import { LANGUAGES } from '#contract/language.ts';
import { optOut } from '#words/en/opt-out.ts';
import { liveValueOf } from '../helpers/browser/accessibility-tree.ts';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { toggleFilm } from '../helpers/browser/film.ts';
import { FALLBACK, MESSAGES } from '../helpers/browser/form-words.ts';
import { NEWER_APIS, takeAway } from '../helpers/browser/old-browser.ts';
import { layoutFaults } from '../helpers/browser/page-layout.ts';
import { calm } from '../helpers/browser/page-steps.ts';
import { openForm } from '../helpers/browser/registration-form.ts';
import { targetFaults, targetsOf } from '../helpers/browser/targets.ts';
import { capturedEvents, expect, test, visitPart } from './fixtures.ts';

test.use({
  build: 'form',
  // Chromium's messages about the failures that a test causes.
  expectedComplaints: /50\d|400|Failed to load|ERR_/,
});

test('§3, §4, §8: it begins empty, and the keyboard alone sends it', async ({
  page,
  world,
  ref,
}) => {
  const { words, ...form } = await openForm(page, ref);
  for (const field of [form.firstName, form.lastName, form.email]) {
    await expect(field).toHaveValue('');
  }
  await expect(page.getByLabel('Prefer not to say')).toBeChecked();
  await expect(form.agree).not.toBeChecked();
  const whole = page.locator('form');
  await expect(whole.getByRole('heading', { level: 3 })).toHaveText('Or hear from us by email');
  for (const text of ['This form does not create one.', words.entries]) {
    await expect(whole).toContainText(text);
  }
  const terms = whole.getByRole('link', { name: `${words.terms} ${words.newTab}` });
  await expect(terms).toHaveAttribute('href', 'https://portal.example/terms');
  const more = whole.getByRole('link', { name: words.more });
  await expect(more).toHaveAttribute('href', /\/help\/privacy\//);
  // The page around it still has the address, the answers and the words on counting.
  await expect(page.locator('footer a[href="mailto:hello@roadforward.example"]')).toBeVisible();
  for (const name of ['Questions and facts', 'See what this page counts']) {
    await expect(page.locator('main').getByRole('link', { name })).toBeVisible();
  }

  await form.firstName.focus();
  for (const [text, next] of [
    ['Wilhelmina', form.lastName],
    ['Featherstone', form.email],
    ['grace@example.org', page.getByLabel('Prefer not to say')],
    ['', terms],
    ['', form.agree],
    [' ', more],
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
    test.use({ colorScheme, viewport, contextOptions: { reducedMotion: 'reduce' } });

    test(`§5, T15: its errors (${language}) take the focus and stay; corrected, it is confirmed`, async ({
      page,
      world,
      ref,
    }) => {
      // A network of its own, because mails of a network that registers a lot wait for ten seconds each.
      await page.setExtraHTTPHeaders({ 'x-forwarded-for': `198.51.100.${width % 250}` });
      await page.clock.install();
      const { words, ...form } = await openForm(page, ref, language);
      const messages = MESSAGES[language];
      const title = await page.title();
      const links = form.summary.getByRole('link');
      await form.firstName.fill('A');
      await expect(form.firstName).toHaveAccessibleDescription('');
      await form.button.click();
      await expect(form.summary).toBeFocused();
      await expect(form.summary).toContainText(words.problem);
      await expect(links).toHaveText(messages);
      await expect(page).toHaveTitle(`${words.error} ${title}`);
      expect.soft(await axeComplaints(page), 'T0').toEqual([]);
      expect.soft(targetFaults(await targetsOf(page), width), 'T3').toEqual([]);
      await page.setViewportSize({ width: 320, height: 256 });
      await calm(page);
      expect.soft(await layoutFaults(page), 'T4').toEqual([]);
      await page.setViewportSize(viewport);
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
      const email = `${ref}@example.org`;
      await form.fill(email);
      await expect(form.summary).toHaveCount(0);
      await expect(page).toHaveTitle(title);
      await form.button.click();
      await expect(form.success).toBeFocused();
      expect(await liveValueOf(page, words.successful.title)).toBe('polite');
      expect.soft(await axeComplaints(page), 'T0').toEqual([]);
      await page.clock.fastForward('01:00:00');
      await expect(form.success).toBeVisible();
      await expect(page.getByText(words.mailFollows)).toBeVisible();
      const mails = () => world.smtp.received.filter(({ to }) => to?.[0]?.address === email);
      await expect.poll(() => mails().length).toBe(1);
      const [mail] = mails();
      if (language === 'es') expect(mail?.subject).toBe('Su inscripción: próximos pasos');
      expect(mail?.text).toContain('/create-account?invitation_code=');
    });
  });
}

for (const language of LANGUAGES) {
  test(`§8: each failure (${language}) is told in words`, async ({ page, context, world, ref }) => {
    await page.clock.install();
    const { words, ...form } = await openForm(page, ref, language);
    await form.fill('later@example.org');
    const again = form.toast.getByRole('button', { name: words.tryAgain });
    const once = { times: 1 };
    // Our own server's answer to a body that the form does not send.
    const incomplete = { postData: '{"email":"later@example.org"}' };
    await page.route(/\/api\/register/, (route) => route.continue(incomplete), once);
    await form.button.click();
    const [first, last, , agree] = MESSAGES[language];
    await form.expectFailure(`${first}. ${last}. ${agree}`, '400: ');
    for (const answer of [
      { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' },
      { status: 200, contentType: 'application/json', body: '{"login":true}' },
    ]) {
      await page.route(/\/api\/register/, (route) => route.fulfill(answer), once);
      await again.click();
      await form.expectFailure(FALLBACK[language]);
    }
    await context.setOffline(true);
    await form.button.click();
    await form.expectFailure(FALLBACK[language]);
    await context.setOffline(false);
    // Without an answer it gives up after eight seconds.
    const asked = page.waitForRequest(/\/api\/register/);
    await page.route(/\/api\/register/, () => {}, once);
    await form.button.click();
    await asked;
    await expect(page.getByRole('button', { name: words.sending })).toBeVisible();
    await page.clock.runFor(8_000);
    await form.expectFailure(FALLBACK[language]);
    await again.click();
    await expect(form.success).toBeVisible();
    await capturedEvents(world, 'registration_succeeded', ref, 1);
    const failed = await capturedEvents(world, 'registration_failed', ref, 5);
    expect(JSON.stringify(failed)).not.toMatch(/Wilhelmina|Featherstone|later@/);
  });
}

test('after a refused send, typing keeps every letter and the focus', async ({ page, ref }) => {
  const form = await openForm(page, ref);
  await form.fill('ann');
  await form.button.click();
  await expect(form.summary).toBeFocused();
  await form.email.fill('');
  // The address is complete twice: with ".co", and with ".uk".
  await page.keyboard.type('ann@example.co.uk');
  await expect(form.email).toHaveValue('ann@example.co.uk');
  await expect(form.email).toBeFocused();
  await expect(form.summary).toHaveCount(0);
});

test('an old failure is not told again after a corrected field', async ({ page, ref }) => {
  const form = await openForm(page, ref);
  await form.fill('later@example.org');
  await page.route(/\/api\/register/, (route) => route.fulfill({ status: 503 }), { times: 1 });
  await form.button.click();
  await form.expectFailure(FALLBACK.en);
  await form.email.fill('later');
  await form.button.click();
  await expect(form.summary.getByRole('listitem')).toHaveText([MESSAGES.en[2] ?? '']);
  await form.email.fill('later@example.org');
  await expect(form.summary).toHaveCount(0);
  await expect(page.locator('form')).not.toContainText(FALLBACK.en);
});

test('where a translator has changed the page’s language, the opt-out and the form still work', async ({
  page,
}) => {
  await page.goto('/');
  await page.evaluate(() => document.documentElement.setAttribute('lang', 'fr'));
  const form = await openForm(page, null);
  const { turnOff, turnOn } = optOut({ logIp: 'truncated' });
  await page.getByRole('button', { name: turnOff }).click();
  await expect(page.getByRole('button', { name: turnOn })).toBeVisible();
  await form.fill('translated@example.org');
  await form.button.click();
  await expect(form.success).toBeVisible();
});

test('typed text survives a reload, and a double press sends it once', async ({ page, ref }) => {
  const form = await openForm(page, ref);
  for (const [draft, lastName] of [
    ['{', ''],
    ['{"firstName":{"a":1},"lastName":"Lovelace","email":null,"other":true}', 'Lovelace'],
  ] as const) {
    await page.evaluate((text) => sessionStorage.setItem('register-draft', text), draft);
    await page.reload();
    await form.woken();
    await expect(form.lastName).toHaveValue(lastName);
    for (const field of [form.firstName, form.email]) await expect(field).toHaveValue('');
  }
  await form.fill('reload@example.org');
  await page.reload();
  await form.woken();
  await expect(form.firstName).toHaveValue('Wilhelmina');
  await expect(form.email).toHaveValue('reload@example.org');
  await expect(form.type2).toBeChecked();
  const keys = () => page.evaluate(() => Object.keys(sessionStorage));
  expect(await keys()).toEqual(['register-draft']);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await form.button.dblclick();
  await expect(form.success).toBeVisible();
  expect(sent.filter((path) => path === '/api/register')).toHaveLength(1);
  expect(await keys()).toEqual([]);
  await page.goto('/help/privacy/');
  for (const name of ['/api/register', 'register-draft']) {
    await expect(page.locator('main code').getByText(name, { exact: true })).toBeVisible();
  }
});

test('§7: text typed before the script is sent, and each request has the cookies', async ({
  page,
  context,
  world,
}) => {
  await takeAway(page, NEWER_APIS);
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
  await expect(form.firstName).toHaveValue('Early');
  await expect(page.getByLabel('Type 3')).toBeChecked();
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
  for (const request of requests) {
    expect((await request.allHeaders()).cookie, request.url()).toBe('kept=yes');
  }
});

test('a filled trap appears and says why', async ({ page, ref }) => {
  const form = await openForm(page, ref);
  await form.fill('trapped@example.org');
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
  await form.button.click();
  const message = 'Please empty the field “Message”: it is there to stop robots';
  await page.getByRole('alert').getByRole('link', { name: message }).click();
  await expect(trap).toBeFocused();
  await expect(trap).toHaveAccessibleDescription(message);
  await trap.fill('');
  expect(await width()).toBeGreaterThan(100);
  await form.button.click();
  await expect(form.success).toBeVisible();
});
