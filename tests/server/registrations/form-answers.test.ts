/** The page that answers a faulty form without script. tests/e2e/access-noscript.spec.ts shows the real page. */
import { expect, test } from 'vitest';
import { postForm } from '../../helpers/server/registrations.ts';
import { startApp } from '../../helpers/server/server-app.ts';
import { makeFormDist } from '../../helpers/server/server-dist.ts';

test('what was typed comes back as text, whatever characters it has', async () => {
  const site = await startApp({ env: { DIST_DIR: makeFormDist() } });
  const typed = `"><script>alert('1')</script>&{{lastName}} data-value="lastName"`;
  const answer = await postForm(site, { firstName: 'A', lastName: typed });
  expect(answer.statusCode).toBe(400);
  expect(answer.body).not.toContain('<script>');
  const [, value = ''] = answer.body.match(/id="register-lastName" value="([^"]*)"/) ?? [];
  const text = value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(text).toBe(typed);
  expect(answer.body).toContain('id="register-firstName" value="A"');
});

test('only fields with an error are listed, and a form that the server has not read is left out', async () => {
  const site = await startApp({ env: { DIST_DIR: makeFormDist(), RATE_LIMIT: '1' } });
  const answer = await postForm(site, { firstName: 'A', lastName: 'Silva', email: 'nonsense' });
  expect(answer.body).toContain('<a href="#register-firstName">First name must be at least 2');
  expect(answer.body).not.toContain('href="#register-lastName"');
  // Those of no field on the page have no link.
  expect(answer.body).toContain('<li>Please enter a valid email address</li><li>You must agree');
  expect(answer.body).not.toMatch(/\{\{|data-value|Go back/);
  // The browser still has the text.
  const limited = await postForm(site, { firstName: 'A' });
  expect(limited.statusCode).toBe(429);
  expect(limited.body).toContain('Go back');
  expect(limited.body).not.toContain('<form');
});
