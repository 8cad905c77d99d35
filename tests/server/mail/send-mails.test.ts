import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { nextSteps } from '../../../server/mail/next-steps.ts';
import { PACE, startMailer } from '../../../server/mail/send-mails.ts';
import { openSmtp } from '../../../server/mail/transport.ts';
import { openSqliteRegistrations } from '../../../server/store/sqlite-registrations.ts';
import { freePort } from '../../helpers/local-server.ts';
import { makeRow } from '../../helpers/registration-store-contract.ts';
import { makeDataDir } from '../../helpers/server-app.ts';
import { SITE } from '../../helpers/server-dist.ts';
import { startSmtpServer } from '../../helpers/smtp-server.ts';

const FAST = { ...PACE, pollMs: 20, firstDelayMs: 20, longestDelayMs: 50, longestAwayMs: 50 };

/** A store with mails to these people, and a way to start senders for it. */
async function makeOutbox(...names: string[]) {
  const path = join(makeDataDir(), 'registrations.sqlite');
  const store = openSqliteRegistrations(path);
  onTestFinished(() => store.close());
  for (const name of names) {
    const row = makeRow(name, {
      createdAt: new Date(),
      sealed: Buffer.from(`${name}@example.org`),
    });
    await store.add(row, []);
  }
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
  const send = (url: string, owner = 'me', pace = FAST) => {
    const mailer = startMailer({
      store: openSqliteRegistrations(path),
      transport: openSmtp(new URL(url), 'hello@portal.example'),
      owner,
      write: ({ id, createdAt, sealed }) => ({
        ...nextSteps(SITE.mail),
        id,
        date: createdAt,
        to: sealed.toString(),
      }),
      log,
      pace,
    });
    onTestFinished(() => mailer.stop(1000));
    return mailer;
  };
  const states = async () => (await store.list(null, 100)).map(({ mail }) => mail);
  return { store, log, send, states };
}

const SENT = { state: 'sent' };

describe('a mail is sent', () => {
  test('once, by whichever of several servers takes it', async () => {
    const smtp = await startSmtpServer();
    const people = Array.from({ length: 12 }, (_, i) => `person-${i}`);
    const { send, states } = await makeOutbox(...people);
    for (const owner of ['one', 'two', 'three']) send(smtp.url, owner);
    await expect.poll(states).toEqual(people.map(() => SENT));
    const to = smtp.received.map(({ envelope }) => envelope.to[0]);
    expect(to.sort()).toEqual(people.map((name) => `${name}@example.org`).sort());
  });

  test('when the SMTP server is there again, and both are said once', async () => {
    const port = await freePort();
    const { send, states, log } = await makeOutbox('a', 'b');
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
  ])('though %s was put off twice', async (_what, behaviour) => {
    const smtp = await startSmtpServer(behaviour);
    const { send, states } = await makeOutbox('a');
    send(smtp.url);
    await expect.poll(states).toEqual([SENT]);
    const ids = new Set(smtp.received.map(({ messageId }) => messageId));
    expect(ids.size).toBe(1);
  });

  test('though another was refused, which is not tried again', async () => {
    const smtp = await startSmtpServer({ recipient: (n) => (n === 0 ? 550 : 250) });
    const { send, states, log } = await makeOutbox('a', 'b');
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

test('a mail that is put off for days expires', async () => {
  const smtp = await startSmtpServer({ data: () => 451 });
  const { send, states } = await makeOutbox('a');
  send(smtp.url, 'me', { ...FAST, expiresMs: 100 });
  await expect.poll(states).toEqual([{ state: 'refused', reason: 'expired' }]);
});

test('who stops while the server is silent leaves the mail to the next, which has the same Message-ID', async () => {
  const smtp = await startSmtpServer({ data: (n) => (n === 0 ? 'silent' : 250) });
  const { send, states } = await makeOutbox('a');
  const first = send(smtp.url);
  await expect.poll(() => smtp.received.length).toBe(1);
  await first.stop(50);
  send(smtp.url);
  await expect.poll(states).toEqual([SENT]);
  expect(smtp.received).toHaveLength(2);
  expect(smtp.received[1]?.messageId).toBe(smtp.received[0]?.messageId);
});

test('a server that offers no TLS gets no address, unless it is this machine', async () => {
  const smtp = await startSmtpServer();
  const { send, states, log } = await makeOutbox('a');
  // Not one of the names that count as this machine, though it is.
  const stop = send(`smtp://127.0.0.2:${smtp.port}`);
  await expect.poll(() => log.error.mock.calls).toHaveLength(1);
  // It does not know STARTTLS.
  expect(log.error.mock.calls[0]?.[0]).toEqual({ reason: '500' });
  await stop.stop(100);
  expect(smtp.received).toEqual([]);
  send(`smtp://127.0.0.1:${smtp.port}`);
  await expect.poll(states).toEqual([SENT]);
});
