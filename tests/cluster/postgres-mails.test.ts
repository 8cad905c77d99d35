/** Mails while PostgreSQL does not answer, at the start or between two steps. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPostgresRegistrations } from '../../server/registrations/store/postgres-registrations.ts';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { startSmtpServer } from '../helpers/fakes/smtp-server.ts';
import { startTcpProxy } from '../helpers/fakes/tcp-proxy.ts';
import { makeOutbox, SENT } from '../helpers/server/mail-outbox.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

/** A mail to one person, in a PostgreSQL whose connection the test can cut. */
async function makeFilled() {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const outbox = makeOutbox(() => openPostgresRegistrations(url));
  await outbox.add('a');
  return { ...outbox, proxy };
}

const AWAY = 'Mails cannot be sent; they wait';

test('the next server sends a killed server’s claimed mail, also if it starts without the database', async () => {
  const smtp = await startSmtpServer();
  const { store, send, states, log } = await makeFilled();
  const now = new Date();
  // The killed server's claim: for a quarter of an hour no other server may take the mail.
  await store.claimMail('me', now, new Date(now.getTime() + 15 * 60_000));
  await postgres.stop();
  send(smtp.url);
  await expect.poll(() => log.error.mock.calls).toHaveLength(1);
  expect(log.error.mock.calls[0]?.[1]).toBe(AWAY);
  await postgres.restart();
  await expect.poll(states).toEqual([SENT]);
  expect(smtp.received).toHaveLength(1);
});

test('claims a mail again if the answer to its claim was lost', async () => {
  const smtp = await startSmtpServer();
  const { proxy, send, states, log } = await makeFilled();
  proxy.cutAnswerTo('UPDATE mails SET owner = $1');
  send(smtp.url);
  await expect.poll(states).toEqual([SENT]);
  expect(log.error.mock.calls.map(([, said]) => said)).toEqual([AWAY]);
  expect(smtp.received).toHaveLength(1);
});

test('a mail that was sent while the database ended is not sent a second time', async () => {
  const smtp = await startSmtpServer({
    data: async () => {
      await postgres.stop();
      return 250;
    },
  });
  const { send, states, log } = await makeFilled();
  send(smtp.url);
  await expect.poll(() => log.error.mock.calls.map(([, said]) => said)).toEqual([AWAY]);
  await postgres.restart();
  await expect.poll(() => states().catch(() => null)).toEqual([SENT]);
  expect(smtp.received).toHaveLength(1);
});

test('a mail that was deferred while the database ended is due again when the database runs', async () => {
  const smtp = await startSmtpServer({
    data: async (n) => {
      if (n > 0) return 250;
      await postgres.stop();
      return 451;
    },
  });
  const { send, states } = await makeFilled();
  send(smtp.url);
  await expect.poll(() => smtp.received.length).toBe(1);
  await postgres.restart();
  await expect.poll(() => states().catch(() => null)).toEqual([SENT]);
  expect(smtp.received).toHaveLength(2);
});
