import { randomUUIDv7 as newId } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../helpers/cluster/postgres.ts';
import { startSmtpServer } from '../helpers/fakes/smtp-server.ts';
import { startTcpProxy } from '../helpers/fakes/tcp-proxy.ts';
import { postgresEnv } from '../helpers/server/databases.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { postPerson, readMails, register } from '../helpers/server/registrations.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

test('a click whose commit PostgreSQL may have made gets 503, and its repetition is a true duplicate', async () => {
  const url = new URL(await postgres.createDatabase());
  const proxy = await startTcpProxy(postgres.port);
  url.port = String(proxy.port);
  const site = await startApp({ env: postgresEnv(url.href) });
  const click = (id: string) => postClick(site, makeBody({ id }));
  const statusOf = async (id: string) => (await click(id)).json().status;
  const [first, second] = [newId(), newId()];
  expect(await statusOf(first)).toBe('logged');
  proxy.cutAnswerTo('COMMIT');
  expect((await click(second)).statusCode).toBe(503);
  await expect.poll(() => statusOf(second)).toBe('duplicate');
  expect(site.lines()).toMatchObject([{ id: first }, { id: second, duplicate: true }]);
});

test('PostgreSQL ends while a mail is sent: registrations get 503 until it runs, and that mail is not sent twice', async () => {
  const ended = Promise.withResolvers<void>();
  const smtp = await startSmtpServer({
    async data(n) {
      if (n === 0) await postgres.stop().then(ended.resolve);
      return 250;
    },
  });
  const env = { ...postgresEnv(await postgres.createDatabase()), SMTP_URL: smtp.url };
  const site = await startApp({ env });
  await register(site, 'ana@example.org');
  await ended.promise;
  const refused = await postPerson(site, { email: 'bo@example.org' });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
  await postgres.restart();
  await expect
    .poll(async () => (await postPerson(site, { email: 'bo@example.org' })).statusCode)
    .toBe(201);
  await expect.poll(() => readMails(site.config)).toEqual(['sent', 'sent']);
  expect(smtp.received.map(({ envelope }) => envelope.to)).toEqual([
    ['ana@example.org'],
    ['bo@example.org'],
  ]);
});
