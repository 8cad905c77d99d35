import { randomUUIDv7 as newId } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../helpers/cluster/postgres.ts';
import { postgresEnv } from '../helpers/server/databases.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

/** A TCP proxy that closes the connection in place of the answer to the next request with these bytes, once it is told to. */
async function startProxy(serverPort: number) {
  let fatal: string | null = null;
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let isCut = false;
    for (const socket of [client, upstream]) socket.on('error', () => {});
    client.on('data', (bytes) => {
      if (fatal !== null && bytes.includes(fatal)) [isCut, fatal] = [true, null];
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => void (isCut ? client.destroy() : client.write(bytes)));
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const cutAnswerTo = (bytes: string) => {
    fatal = bytes;
  };
  return { port, cutAnswerTo };
}

test('a click whose commit PostgreSQL may have made gets 503, and its repetition is a true duplicate', async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.remove);
  const url = new URL(await postgres.createDatabase());
  const proxy = await startProxy(postgres.port);
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
