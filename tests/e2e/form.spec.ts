import type { Page } from '@playwright/test';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { capturedEvents, expect, settle, test } from './fixtures.ts';
import { watchRecording } from './recorded.ts';
import { expectTruth } from './what-we-count.ts';

test.use({ build: 'form' });

const MESSAGES = [
  'First name must be at least 2 characters',
  'Last name must be at least 2 characters',
  'Please enter a valid email address',
  'You must agree to the terms and conditions',
];

async function openForm(page: Page, ref = 'form'): Promise<void> {
  await page.goto(`/?ref=${ref}#register`);
  await settle(page);
  await page.locator('[data-island=register-form][data-ready]').waitFor();
}

async function fill(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Last name').fill('Lovelace');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Type 2').check();
  await page.getByLabel('I agree to the terms and conditions').check();
}

test('it begins empty, with nothing agreed to', async ({ page }) => {
  await openForm(page);
  for (const label of ['First name', 'Last name', 'Email address']) {
    await expect(page.getByLabel(label)).toHaveValue('');
  }
  await expect(page.getByLabel('Prefer not to say')).toBeChecked();
  await expect(page.getByLabel('I agree to the terms and conditions')).not.toBeChecked();
});

test('the page with it still has the address, the answers and the words on counting as links', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.locator('footer a[href="mailto:hello@roadforward.example"]')).toBeVisible();
  for (const name of ['Questions and facts', 'See what this page counts'])
    await expect(page.locator('main').getByRole('link', { name })).toBeVisible();
});

test('it says how it differs from the button above it, and links the terms before the visitor agrees', async ({
  page,
}) => {
  await openForm(page);
  const form = page.locator('form');
  await expect(form.getByRole('heading', { level: 3 })).toHaveText('Or hear from us by email');
  await expect(form).toContainText('This form does not create one.');
  const terms = form.getByRole('link', {
    name: 'Read the terms and conditions of Wayfield Health (opens in new tab)',
  });
  await expect(terms).toHaveAttribute('href', 'https://portal.example/terms');
  await expect(terms).toHaveAttribute('target', '_blank');
  await terms.focus();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('I agree to the terms and conditions')).toBeFocused();
});

test('it says before its button what happens to the entries, and links the page about it', async ({
  page,
}) => {
  await openForm(page);
  const form = page.locator('form');
  await expect(form).toContainText(
    'We keep your entries encrypted, use them only to email you, and delete them when you ask.',
  );
  const more = form.getByRole('link', { name: 'What this site records' });
  await expect(more).toHaveAttribute('href', /\/help\/privacy\//);
  await more.focus();
  await page.keyboard.press('Tab');
  await expect(form.getByRole('button', { name: 'Register' })).toBeFocused();
});

test('an empty form names every error, above and next to the fields, and takes the focus', async ({
  page,
}) => {
  await openForm(page);
  const title = await page.title();
  await page.getByRole('button', { name: 'Register' }).click();
  const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText(MESSAGES);
  await expect(page).toHaveTitle(`Error: ${title}`);
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription(MESSAGES[0] ?? '');

  await summary.getByRole('link', { name: MESSAGES[2] ?? '' }).click();
  await expect(page.getByLabel('Email address')).toBeFocused();
});

test('with the keyboard alone it can be filled and sent; the success screen takes its place', async ({
  page,
  world,
}) => {
  await openForm(page, 'by-keyboard');
  await page.getByLabel('First name').focus();
  await page.keyboard.type('Grace');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Hopper');
  await page.keyboard.press('Tab');
  await page.keyboard.type('grace@example.org');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  // Past the link to the terms.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');

  const welcome = page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' });
  await expect(welcome).toBeFocused();
  await expect(page.getByText('An email with next steps will follow.')).toBeVisible();
  await expect(page.getByText('your spam folder')).toBeVisible();
  await expect(page.locator('[data-toast]')).toContainText('Registration Successful!');
  await expect(page.locator('[data-toast]')).toContainText(
    'Welcome to the SMA Data Drive. Check your email for next steps.',
  );
  await expect(page.getByLabel('First name')).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Join the Drive' })).toHaveCount(1);
  await expect(page.locator('[data-cta=closing]')).toBeHidden();

  await capturedEvents(world, 'registration_submitted', 'by-keyboard', 1);
  await capturedEvents(world, 'registration_succeeded', 'by-keyboard', 1);
  expect(JSON.stringify(world.posthog.events)).not.toContain('grace');
  expect(JSON.stringify(world.site.lines())).not.toContain('grace');
});

test('typed text survives a reload, and is deleted once it is sent', async ({ page }) => {
  await openForm(page);
  await fill(page, 'reload@example.org');
  await page.reload();
  await settle(page);
  await page.locator('[data-island=register-form][data-ready]').waitFor();
  await expect(page.getByLabel('First name')).toHaveValue('Ada');
  await expect(page.getByLabel('Email address')).toHaveValue('reload@example.org');
  await expect(page.getByLabel('Type 2')).toBeChecked();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' })).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
});

const FALLBACK = 'Something went wrong. Please try again.';

test.describe('when it cannot be sent', () => {
  test.use({ expectedComplaints: /50\d|400|Failed to load|ERR_/ });

  /**
   * Checks that the toast and the words above the form say the same, and that these words have the focus in view. Only the
   * toast has the status code of the response.
   */
  async function expectFailure(page: Page, text: string, status = ''): Promise<void> {
    const toast = page.locator('[data-toast][data-state=open]');
    await expect(toast.getByText('Registration Failed', { exact: true })).toBeVisible();
    await expect(toast.getByText(status + text, { exact: true })).toBeVisible();
    await expect(toast).toHaveAttribute('data-variant', 'destructive');
    const summary = page.locator('form').getByRole('alert');
    await expect(summary.getByRole('listitem')).toHaveText([text]);
    await expect(summary).toBeFocused();
    await expect(summary).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel('Email address')).toHaveValue('later@example.org');
  }

  async function send(page: Page): Promise<void> {
    await openForm(page, 'fails');
    await fill(page, 'later@example.org');
    await page.getByRole('button', { name: 'Register' }).click();
  }

  test('our server’s own words are read as a sentence, and "Try again" sends it', async ({
    page,
    world,
  }) => {
    // Our own server's answer to a body that the form does not send.
    await page.route(
      '**/api/register',
      (route) => route.continue({ postData: JSON.stringify({ email: 'later@example.org' }) }),
      { times: 1 },
    );
    await send(page);
    await expectFailure(
      page,
      'First name must be at least 2 characters. Last name must be at least 2 characters. ' +
        'You must agree to the terms and conditions',
      '400: ',
    );
    await capturedEvents(world, 'registration_failed', 'fails', 1);
    await page.locator('[data-toast]').getByRole('button', { name: 'Try again' }).click();
    await expect(
      page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' }),
    ).toBeVisible();
  });

  test('a proxy’s page is replaced by words for visitors', async ({ page }) => {
    await page.route('**/api/register', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
    );
    await send(page);
    await expectFailure(page, FALLBACK);
  });

  test('a captive portal’s page counts as a failure', async ({ page }) => {
    await page.route('**/api/register', (route) =>
      route.fulfill({ status: 200, contentType: 'application/json', body: '{"login":true}' }),
    );
    await send(page);
    await expectFailure(page, FALLBACK);
  });

  test('offline it says so at once', async ({ page, context }) => {
    await openForm(page, 'offline');
    await fill(page, 'later@example.org');
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Register' }).click();
    await expectFailure(page, FALLBACK);
  });

  test('the form gives up within ten seconds on a server that never answers', async ({ page }) => {
    await page.clock.install();
    await openForm(page, 'silent');
    await fill(page, 'later@example.org');
    const asked = page.waitForRequest('**/api/register');
    await page.route('**/api/register', () => {});
    await page.clock.runFor(2000);
    await page.getByRole('button', { name: 'Register' }).click();
    await asked;
    await page.clock.runFor(10_000);
    await expectFailure(page, FALLBACK);
  });
});

test('text that was typed before the script loaded is kept', async ({ page }) => {
  await page.goto('/#register');
  await page.evaluate(() => {
    const value = (id: string, text: string) => {
      (document.getElementById(id) as HTMLInputElement).value = text;
    };
    value('register-firstName', 'Early');
    value('register-email', 'early@example.org');
    (document.querySelector('[value="Type 3"]') as HTMLInputElement).checked = true;
    (document.getElementById('register-agreedToTerms') as HTMLInputElement).checked = true;
  });
  await settle(page);
  await page.locator('[data-island=register-form][data-ready]').waitFor();
  await expect(page.getByLabel('First name')).toHaveValue('Early');
  await expect(page.getByLabel('Email address')).toHaveValue('early@example.org');
  await expect(page.getByLabel('Type 3')).toBeChecked();
  await page.getByLabel('Last name').fill('Bird');
  const sent = page.waitForRequest('**/api/register');
  await page.getByRole('button', { name: 'Register' }).click();
  expect((await sent).postDataJSON()).toEqual({
    firstName: 'Early',
    lastName: 'Bird',
    email: 'early@example.org',
    smaType: 'Type 3',
    agreedToTerms: true,
    filledMs: expect.any(Number),
  });
  await expect(page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' })).toBeVisible();
});

test('a visitor who is very quick, or presses twice, is registered once', async ({ page }) => {
  await openForm(page);
  await fill(page, 'quick@example.org');
  const bodies: { filledMs: number }[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/register')) bodies.push(request.postDataJSON());
  });
  await page.getByRole('button', { name: 'Register' }).dblclick();
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' })).toBeVisible();
  expect(bodies).toHaveLength(1);
  expect(bodies[0]?.filledMs).toBeGreaterThanOrEqual(2000);
});

test('a filled trap appears, says why, and lets the visitor go on', async ({ page }) => {
  await openForm(page);
  await fill(page, 'trapped@example.org');
  const trap = page.locator('#register-message');
  const area = async () => (await trap.boundingBox())?.width ?? 0;
  const isInView = () =>
    trap.evaluate((input) => (input.closest('[data-trap]')?.clientWidth ?? 99) > 1);
  expect(await isInView()).toBe(false);
  await page.keyboard.press('Shift+Tab');
  await expect(trap).not.toBeFocused();
  await trap.evaluate((input: HTMLInputElement) => {
    // As an extension does it, in an isolated world.
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
    set?.call(input, 'a helpful extension');
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(await isInView()).toBe(true);
  expect(await area()).toBeGreaterThan(100);

  await page.getByRole('button', { name: 'Register' }).click();
  const message = 'Please empty the field “Message”: it is there to stop robots';
  await page.getByRole('alert').getByRole('link', { name: message }).click();
  await expect(trap).toBeFocused();
  await expect(trap).toHaveAccessibleDescription(message);
  await trap.fill('');
  await expect(trap).toBeFocused();
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' })).toBeVisible();
});

test('the promised mail is sent, and everybody can read it', async ({ page, world }) => {
  const mails = () =>
    world.smtp.received.filter(({ to }) => to?.[0]?.address === 'mail@example.org');
  // A network of its own, because mails of a network that registers a lot wait for ten seconds each.
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.7' });
  await openForm(page);
  await fill(page, 'mail@example.org');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect.poll(() => mails().length).toBe(1);
  const [mail] = mails();
  await page.goto('about:blank');
  await page.setContent(mail?.html ?? '');
  await expect(page.getByRole('heading', { name: 'Welcome to the SMA Data Drive' })).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);
});

test('the page’s words about counting are true (build "form")', async ({ page, world }) => {
  await expectTruth(page, world, 'form');
});

test('/help/privacy/ lists every request and every stored key of a visit (build "form")', async ({
  page,
  world,
}) => {
  const compare = await watchRecording(page, world, 'form');
  await openForm(page, 'recorded');
  await fill(page, 'recorded@example.org');
  await page.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome to the SMA Data Drive!' })).toBeVisible();
  await page.click('[data-cta=hero]');
  // The opt-out was not used, and the outbox was never full.
  await compare(['counting', 'clicks-dropped', '__mplssupport__']);
});
