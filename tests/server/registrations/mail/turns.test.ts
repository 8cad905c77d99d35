/** Fake registrations must neither flood a mailbox nor delay the mails of real ones. */
import { expect, test } from 'vitest';
import { createMailTurns } from '../../../../server/registrations/mail/mail-turns.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

const FLOOD = 30;
/** Number of mails of one network without a delay. */
const AT_ONCE = 5;

async function start() {
  const smtp = await startSmtpServer();
  const { app } = await startApp({
    env: { SMTP_URL: smtp.url, TRUST_PROXY: '1', RATE_LIMIT: '0' },
  });
  return {
    sentTo: () => smtp.received.map(({ envelope }) => envelope.to[0] ?? ''),
    register: async (name: string, address: string) => {
      const { statusCode } = await app.inject({
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
      expect(statusCode).toBe(201);
    },
  };
}

test('a family’s mail is sent before those of a network with many registrations', async () => {
  const { register, sentTo } = await start();
  await Promise.all(numbered((n) => register(`fake-${n}`, `192.0.2.${n}`)));
  await register('family', '198.51.100.7');
  await expect.poll(sentTo, { timeout: 30_000 }).toContain('family@example.org');
  expect(sentTo().length).toBeLessThanOrEqual(AT_ONCE + 1);
});

test('a mailbox gets three mails a day, however its address is written', async () => {
  const { register, sentTo } = await start();
  const spellings = numbered((n) => (n % 2 ? `victim+${n}` : `vic.t.im+${n}`));
  await Promise.all(spellings.map((name, n) => register(name, `10.${n}.0.1`)));
  await register('family', '198.51.100.7');
  await expect.poll(sentTo, { timeout: 30_000 }).toContain('family@example.org');
  expect(sentTo().filter((to) => to.startsWith('vic'))).toHaveLength(3);
});

test('mails to one mailbox wait for the next days, and those of a server for the next hours', () => {
  const turn = createMailTurns();
  const start = new Date('2026-03-01T10:30:00Z');
  const address = (n: number) => `10.${n >> 8}.${n & 255}.1`;
  const victim = Array.from({ length: 7 }, (_, n) => turn(address(n), `v+${n}@example.org`, start));
  const days = victim.map((due) => due.toISOString().slice(0, 10));
  expect(days).toEqual([...fill('2026-03-01'), ...fill('2026-03-02'), '2026-03-03']);
  const others = Array.from({ length: 1200 }, (_, n) =>
    turn(address(n + 100), `f${n}@x.org`, start),
  );
  const perHour = Map.groupBy(others, (due) => due.getUTCHours());
  expect([...perHour].map(([hour, { length }]) => [hour, length])).toEqual([
    [10, 497],
    [11, 500],
    [12, 203],
  ]);
});

const numbered = <T>(make: (n: number) => T) => Array.from({ length: FLOOD }, (_, n) => make(n));
const fill = (day: string) => Array<string>(3).fill(day);
