/** POST /k/e/: strangers cannot fill the outbox, and cannot keep others out. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseFault } from '../../../server/database/database.ts';
import { browserEvent } from '../../helpers/fakes/browser-event.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { BROWSER, makeBody, startApp } from '../../helpers/server/server-app.ts';

const EVENT = browserEvent();
const batchOf = (...batch: object[]) => ({ api_key: 'phc_test', batch });

describe.each(DATABASES)('$name', ({ makeEnv }) => {
  test('strangers cannot fill the outbox: above its bound a request gets 503 and nothing of it is stored; clicks are taken', async () => {
    const { postEvents, postClick, rows } = await startApp({
      env: { ...(await makeEnv()), TRUST_PROXY: '1' },
      parts: { maxWaiting: 10 },
    });
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` });
    const events = (count: number) => Array.from({ length: count }, () => browserEvent());
    for (const n of [1, 2, 3, 4, 5])
      expect((await postEvents(batchOf(...events(2)), from(n))).statusCode).toBe(200);
    const refused = await postEvents(batchOf(EVENT), from(6));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
    expect(await rows('SELECT uuid FROM posthog_outbox')).toHaveLength(10);
    expect((await postClick(makeBody())).statusCode).toBe(200);
    expect(await rows('SELECT uuid FROM posthog_outbox WHERE event IS NULL')).toHaveLength(1);
  });

  test('a request over its budget takes no room of others', async () => {
    // Two events a minute.
    const { postEvents } = await startApp({
      env: { ...(await makeEnv()), TRUST_PROXY: '1', RATE_LIMIT: '1' },
      parts: { maxWaiting: 5 },
    });
    const post = async (count: number, address: string) => {
      const events = Array.from({ length: count }, () => browserEvent());
      return (await postEvents(batchOf(...events), { 'x-forwarded-for': address })).statusCode;
    };
    expect(await post(4, '198.51.100.1')).toBe(503);
    expect(await post(2, '198.51.100.2')).toBe(200);
  });

  test('once PostHog has taken them, there is room again', async () => {
    const options = { env: await makeEnv(), parts: { maxWaiting: 5 } };
    const { postEvents, capture } = await startPosthogSite(options);
    const post = () => postEvents(batchOf(browserEvent()));
    expect((await post()).statusCode).toBe(200);
    await expect.poll(() => capture.merged().length).toBe(1);
    await expect.poll(async () => (await post()).statusCode).toBe(200);
  });
});

test('requests that come together are stored together, each with its events; a fault is a 503', async () => {
  const { postEvents, rows, data } = await startApp();
  const together = Array.from({ length: 5 }, () => browserEvent());
  const transactions = vi.spyOn(data.db, 'transaction');
  const answers = await Promise.all(together.map((event) => postEvents(event)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
  expect(transactions.mock.calls.length).toBeLessThan(5);
  const stored = (await rows('SELECT uuid FROM posthog_outbox')).map(({ uuid }) => uuid);
  expect(stored.sort()).toEqual(together.map(({ uuid }) => uuid).sort());

  transactions.mockRejectedValueOnce(new DatabaseFault('the disk is full', 'sqlite-13'));
  const failed = await postEvents(browserEvent());
  expect([failed.statusCode, failed.headers['retry-after']]).toEqual([503, '10']);
  expect(await rows('SELECT uuid FROM posthog_outbox')).toHaveLength(5);
});

test('over its rate limit the route answers 503, which posthog-js repeats', async () => {
  // Twice as many as clicks.
  const { postEvents } = await startApp({ env: { RATE_LIMIT: '1' } });
  for (const expected of [200, 200, 503])
    expect((await postEvents(batchOf(browserEvent()))).statusCode).toBe(expected);
  const refused = await postEvents(batchOf(EVENT));
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json().error.code).toBe('unavailable');
});

test('while the bodies of a hundred requests do not arrive, those of visitors are taken, and the oldest give way', async () => {
  const { app } = await startApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const body = JSON.stringify(batchOf(EVENT));
  const head = `POST /k/e/ HTTP/1.1\r\nHost: x\r\nUser-Agent: ${BROWSER}\r\n`;
  /** Sends the start of a body, and resolves when the server has the request's head. */
  const begin = async (n: number) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${n}` });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n{`);
    await once(socket, 'data');
    return socket;
  };
  const end = async (socket: Socket) => {
    socket.write(body.slice(1));
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  };
  const own: Socket[] = [];
  for (let n = 0; n < 21; n += 1) own.push(await begin(2));
  await closed(own[0]);
  expect(own.slice(1).filter((socket) => socket.closed)).toEqual([]);
  for (let n = 0; n < 81; n += 1) await begin(3 + (n % 5));
  await closed(own[1]);
  const visitor = await begin(9);
  await closed(own[2]);
  await end(visitor);
  await end(own[20] as Socket);
});

/** Resolves when the server has closed the connection. */
async function closed(socket: Socket | undefined): Promise<void> {
  if (socket && !socket.closed) await once(socket, 'close');
}
