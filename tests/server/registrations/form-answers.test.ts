/** The page that answers a faulty form without script. tests/e2e/no-script.spec.ts shows the real page. */
import { expect, test } from 'vitest';
import { postForm } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeFormDist } from '../../helpers/server/server-dist.ts';

test('each error is listed once, and nothing that was typed comes back', async () => {
  const site = await startApp({ env: { DIST_DIR: makeFormDist(), RATE_LIMIT: '1' } });
  const typed = `"><script>alert('1')</script>`;
  const answer = await postForm(site, { firstName: 'A', lastName: 'Silva', email: typed });
  expect(answer.statusCode).toBe(400);
  expect([...answer.body.matchAll(/<li>(.*?)<\/li>/g)].map(([, message]) => message)).toEqual([
    'First name must be at least 2 characters',
    'Please enter a valid email address',
    'You must agree to the terms and conditions',
  ]);
  expect(answer.body).not.toMatch(/<script>|\{\{/);
  const limited = await postForm(site, { firstName: 'A' });
  expect([limited.statusCode, limited.body]).toEqual([
    429,
    expect.stringContaining('<li>Too many'),
  ]);
});
