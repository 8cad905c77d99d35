import { expect, test } from './fixtures.ts';

test('without the form the page asks nothing, and the API takes registrations all the same', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.locator('form, input')).toHaveCount(0);
  const status = await page.evaluate(async () => {
    const answer = await fetch('/api/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.org',
        agreedToTerms: true,
      }),
    });
    return [answer.status, await answer.json()];
  });
  expect(status).toEqual([201, { status: 'registered' }]);
});
