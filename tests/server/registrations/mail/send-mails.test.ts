import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openMailFolder } from '../../../../server/registrations/mail/transport.ts';
import { openSqliteRegistrations } from '../../../../server/registrations/store/sqlite-registrations.ts';
import { startSmtpServer } from '../../../helpers/fakes/smtp-server.ts';
import { freePort } from '../../../helpers/server/local-server.ts';
import { FAST, makeOutbox, SENDER, SENT } from '../../../helpers/server/mail-outbox.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

/** A database with mails to these people, and a function that starts senders for it. */
async function makeFilled(...names: string[]) {
  const path = join(makeDataDir(), 'registrations.sqlite');
  const outbox = makeOutbox(() => openSqliteRegistrations(path));
  for (const name of names) await outbox.add(name);
  return { ...outbox, path };
}

describe('a mail is sent', () => {
  test('once, by one of several servers', async () => {
    const smtp = await startSmtpServer();
    const people = Array.from({ length: 12 }, (_, i) => `person-${i}`);
    const { send, states } = await makeFilled(...people);
    for (const owner of ['one', 'two', 'three']) send(smtp.url, owner);
    await expect.poll(states).toEqual(people.map(() => SENT));
    const to = smtp.received.map(({ envelope }) => envelope.to[0]);
    expect(to.sort()).toEqual(people.map((name) => `${name}@example.org`).sort());
  });

  test('when the SMTP server works again, and the log has both changes once', async () => {
    const port = await freePort();
    const { send, states, log } = await makeFilled('a', 'b');
    send(`smtp://127.0.0.1:${port}`);
    await expect.poll(async () => JSON.stringify(await states())).toMatch(/"attempts":[3-9]/);
    const smtp = await startSmtpServer({ port });
    await expect.poll(states).toEqual([SENT, SENT]);
    expect(smtp.received).toHaveLength(2);
    expect(log.error.mock.calls).toEqual([
      [{ reason: 'ESOCKET' }, 'Mails cannot be sent; they wait'],
    ]);
    expect(log.info.mock.calls).toEqual([['Mails are sent again']]);
  });

  test.each([
    ['its recipient', { recipient: (n: number) => (n < 2 ? 450 : 250) }],
    ['its text', { data: (n: number) => (n < 2 ? 451 : 250) }],
  ])('although %s was delayed twice', async (_what, behaviour) => {
    const smtp = await startSmtpServer(behaviour);
    const { send, states } = await makeFilled('a');
    send(smtp.url);
    await expect.poll(states).toEqual([SENT]);
    const ids = new Set(smtp.received.map(({ messageId }) => messageId));
    expect(ids.size).toBe(1);
  });

  test('although another was refused, which is not tried again', async () => {
    const smtp = await startSmtpServer({ recipient: (n) => (n === 0 ? 550 : 250) });
    const { send, states, log } = await makeFilled('a', 'b');
    const mailer = send(smtp.url);
    await expect
      .poll(states)
      .toEqual(expect.arrayContaining([SENT, { state: 'refused', reason: '550' }]));
    mailer.wake();
    await mailer.stop(1000);
    expect(smtp.received).toHaveLength(1);
    expect(JSON.stringify(log.warn.mock.calls)).toContain('"reason":"550"');
    expect(JSON.stringify(log.warn.mock.calls)).not.toMatch(/example\.org|canary/);
  });
});

test('a mail is sent at once, also if it arrives when the sender is just finishing', async () => {
  const { add, send, states } = await makeFilled();
  const NEVER_MS = 3_600_000;
  const mailer = send(openMailFolder(makeDataDir(), SENDER), 'me', { ...FAST, pollMs: NEVER_MS });
  for (let ticks = 0; ticks < 30; ticks += 1) {
    mailer.wake();
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    await add(`no ${ticks} `);
    mailer.wake();
    await expect.poll(states, { interval: 5 }).toEqual(Array(ticks + 1).fill(SENT));
  }
});

test('a mail that is delayed for days expires', async () => {
  const smtp = await startSmtpServer({ data: () => 451 });
  const { send, states } = await makeFilled('a');
  send(smtp.url, 'me', { ...FAST, expiresMs: 100 });
  await expect.poll(states).toEqual([{ state: 'refused', reason: 'expired' }]);
});

test('a sender that stops during a silent dialogue leaves the mail to the next, with the same Message-ID', async () => {
  const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 'silent' : 250) });
  const { send, states } = await makeFilled('a');
  const first = send(smtp.url);
  await expect.poll(() => smtp.received.length).toBe(1);
  await first.stop(50);
  send(smtp.url);
  await expect.poll(states).toEqual([SENT]);
  expect(smtp.received).toHaveLength(2);
  expect(smtp.received[1]?.messageId).toBe(smtp.received[0]?.messageId);
});

test('a remote SMTP server without TLS gets no address', async () => {
  const smtp = await startSmtpServer();
  const { send, states, log } = await makeFilled('a');
  // An address of this machine that does not count as local.
  const stop = send(`smtp://127.0.0.2:${smtp.port}`);
  await expect.poll(() => log.error.mock.calls).toHaveLength(1);
  // The server does not support STARTTLS.
  expect(log.error.mock.calls[0]?.[0]).toEqual({ reason: '500' });
  await stop.stop(100);
  expect(smtp.received).toEqual([]);
  send(`smtp://127.0.0.1:${smtp.port}`);
  await expect.poll(states).toEqual([SENT]);
});
