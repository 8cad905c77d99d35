/** Fake registrations must not delay the mails of real ones. */
import { expect, test } from 'vitest';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

const FLOOD = 30;
/** Number of mails of one network without a delay. */
const AT_ONCE = 5;

test('a family’s mail is sent before those of a network with many registrations', async () => {
  const smtp = await startSmtpServer();
  const site = await startApp({
    env: { SMTP_URL: smtp.url, TRUST_PROXY: '1', RATE_LIMIT_REGISTER: '0' },
  });
  const register = (name: string, address: string) =>
    site.app.inject({
      method: 'POST',
      url: '/api/register',
      headers: { 'x-forwarded-for': address },
      payload: {
        firstName: 'Ana',
        lastName: 'Silva',
        email: `${name}@example.org`,
        agreedToTerms: true,
      },
    });
  const flood = Array.from({ length: FLOOD }, (_, n) => register(`fake-${n}`, `192.0.2.${n}`));
  await Promise.all(flood);
  expect((await register('family', '198.51.100.7')).statusCode).toBe(201);
  const sentTo = () => smtp.received.map(({ envelope }) => envelope.to[0]);
  await expect.poll(sentTo, { timeout: 30_000 }).toContain('family@example.org');
  expect(sentTo().length).toBeLessThanOrEqual(AT_ONCE + 1);
});
