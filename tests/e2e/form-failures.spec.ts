/** §8: a registration that fails. form.spec.ts has the form itself. */

import { FALLBACK, MESSAGES, openForm } from '../helpers/browser/registration-form.ts';
import { capturedEvents, expect, test } from './fixtures.ts';

test.use({
  build: 'form',
  // Chromium's messages about the failures that the test causes.
  expectedComplaints: /50\d|400|Failed to load|ERR_/,
});

test('§8: each failure is told in words', async ({ page, context, world, ref }) => {
  await page.clock.install();
  const { words, ...form } = await openForm(page, ref);
  await form.fill('later@example.org');
  const again = form.toast.getByRole('button', { name: words.tryAgain });
  const once = { times: 1 };
  // Our own server's answer to a body that the form does not send.
  const incomplete = { postData: '{"email":"later@example.org"}' };
  await page.route(/\/api\/register/, (route) => route.continue(incomplete), once);
  await form.button.click();
  const [first, last, , agree] = MESSAGES.en;
  const refusal = `${first}. ${last}. ${agree}`;
  await form.expectFailure(refusal, `400: ${refusal}`);
  for (const [answer, message] of [
    [{ status: 502, body: '<h1>502 Bad Gateway</h1>' }, '502: <h1>502 Bad Gateway</h1>'],
    [{ status: 503, body: '' }, '503: Service Unavailable'],
    [{ status: 429, body: 'Too\nmany\u202e\u0007' }, '429: Too many'],
    [{ status: 500, body: 'x'.repeat(195) }, `500: ${'x'.repeat(195)}`],
    [{ status: 500, body: 'x'.repeat(196) }, `500: ${'x'.repeat(194)}…`],
    [{ status: 500, body: ' \u200b' }, FALLBACK],
    // Two answers of a captive portal.
    [
      { status: 200, contentType: 'application/json', body: '{"login": true}' },
      '200: {"login": true}',
    ],
    [{ status: 200, contentType: 'text/html', body: '<h1>Log in</h1>' }, '200: <h1>Log in</h1>'],
  ] as const) {
    await page.route(/\/api\/register/, (route) => route.fulfill(answer), once);
    await again.click();
    await form.expectFailure(FALLBACK, message);
  }
  await context.setOffline(true);
  await form.button.click();
  await form.expectFailure(FALLBACK);
  await context.setOffline(false);
  // Without an answer it gives up after eight seconds.
  const asked = page.waitForRequest(/\/api\/register/);
  await page.route(/\/api\/register/, () => {}, once);
  await form.button.click();
  await asked;
  await expect(page.getByRole('button', { name: words.sending })).toBeVisible();
  await page.clock.runFor(8_000);
  await form.expectFailure(FALLBACK);
  await again.click();
  await expect(form.success).toBeVisible();
  await capturedEvents(world, 'registration_succeeded', ref, 1);
  const failed = await capturedEvents(world, 'registration_failed', ref, 11);
  expect(JSON.stringify(failed)).not.toMatch(/Wilhelmina|Featherstone|later@/);
});
