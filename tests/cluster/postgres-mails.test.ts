/** What becomes of a mail when PostgreSQL does not answer: at the start, or between two steps. */
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

/** Mails on PostgreSQL, to one person, behind a wire that can be cut. */
async function makeFilled() {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const outbox = makeOutbox(() => openPostgresRegistrations(url));
  await outbox.add('a');
  return { ...outbox, proxy };
}

const AWAY = 'Mails cannot be sent; they wait';

test('what a killed server had claimed is sent by the next one, though the database is away when that starts', async () => {
  const smtp = await startSmtpServer();
  const { store, send, states, log } = await makeFilled();
  const now = new Date();
  // As the one that was killed left it: for a quarter of an hour nobody else may have it.
  await store.claimMail('me', now, new Date(now.getTime() + 15 * 60_000));
  await postgres.stop();
  send(smtp.url);
  await expect.poll(() => log.error.mock.calls).toHaveLength(1);
  expect(log.error.mock.calls[0]?.[1]).toBe(AWAY);
  await postgres.restart();
  await expect.poll(states).toEqual([SENT]);
  expect(smtp.received).toHaveLength(1);
});

test('a mail that was claimed by an answer that never came is claimed again', async () => {
  const smtp = await startSmtpServer();
  const { proxy, send, states, log } = await makeFilled();
  proxy.cutAnswerTo('UPDATE mails SET owner = $1');
  send(smtp.url);
  await expect.poll(states).toEqual([SENT]);
  expect(log.error.mock.calls.map(([, said]) => said)).toEqual([AWAY]);
  expect(smtp.received).toHaveLength(1);
});

test('a mail that was sent while the database went away is not sent a second time', async () => {
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

test('a mail that was put off while the database went away is due again when it is back', async () => {
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
