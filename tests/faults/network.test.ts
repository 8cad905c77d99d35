import { randomUUIDv7 as newId } from 'node:crypto';
import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeBody } from '../helpers/server/server-app.ts';
import { anyBody } from '../helpers/server/server-bodies.ts';
import { storedIds } from '../helpers/server/server-check.ts';
import { insist } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** Sends from a second address, because one address may not take all connections. */
const ANOTHER = new Agent({ localAddress: '127.0.0.2' });
const HEAD = 'POST /api/log-cta HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** @returns the bytes that arrived until the server closed the connection */
async function untilClosed(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => {});
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

test('the server cuts off slow senders, and meanwhile takes clicks', async () => {
  const server = await startServer();
  const halves = [HEAD, 'POST /api/lo', `${HEAD}Content-Length: 400\r\n\r\n{"event":`, ''];
  const slow = Array.from({ length: 900 }, (_, n) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(halves[n % halves.length] ?? '');
    return untilClosed(socket);
  });
  for (let n = 0; n < 20; n += 1) await insist(server.url, newId(), ANOTHER);
  const answers = await Promise.all(slow);
  expect(answers.filter((text) => !text.startsWith('HTTP/1.1 408'))).toEqual([]);
  expect(await storedIds(server)).toHaveLength(20);
});

test('a client that disconnects before its answer may send the click again, and it counts once', async () => {
  const server = await startServer();
  const id = newId();
  const body = JSON.stringify(makeBody({ id }));
  const socket = connect(server.port, '127.0.0.1');
  socket.end(`${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  await untilClosed(socket);
  await insist(server.url, id);
  expect(await storedIds(server)).toEqual([id]);
});

test('connections that break in the middle of a request leave nothing behind', async () => {
  const server = await startServer();
  const whole = `${HEAD}Content-Length: 400\r\n\r\n{"event":`;
  await Promise.all(
    Array.from({ length: 200 }, async (_, n) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.write(whole.slice(0, n + 1), () => socket.resetAndDestroy());
      await untilClosed(socket);
    }),
  );
  await insist(server.url, newId());
  expect(await storedIds(server)).toHaveLength(1);
});

const RUNS = 1_000;
const AT_ONCE = 50;

test(`${RUNS} generated bodies and headers: no 5xx, no malformed line`, async () => {
  const server = await startServer();
  const headerText = fc.string({ unit: fc.constantFrom(...' !"#aZ09~,;=/:é'), maxLength: 60 });
  const anyRequest = fc.record({
    body: anyBody,
    type: fc.oneof(
      { weight: 4, arbitrary: fc.constant('application/json') },
      fc.constantFrom('text/ping', 'text/plain', 'application/json; charset=x'),
    ),
    headers: fc.dictionary(
      fc.constantFrom(
        'user-agent',
        'ping-from',
        'dnt',
        'sec-gpc',
        'x-forwarded-for',
        'origin',
        'cookie',
        'accept-encoding',
        'x-any',
      ),
      headerText,
    ),
    query: fc.webQueryParameters({ size: 'small' }),
  });
  const statuses = new Map<number, number>();
  let logged = 0;
  for (let done = 0; done < RUNS; done += AT_ONCE) {
    const batch = fc.sample(anyRequest, AT_ONCE);
    const answers = await Promise.all(
      batch.map(({ body, type, headers, query }) =>
        fetch(`${server.url}/api/log-cta?${query}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { ...headers, 'content-type': type },
        }),
      ),
    );
    for (const [i, answer] of answers.entries()) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status >= 500) throw new Error(`${answer.status}: ${JSON.stringify(batch[i])}`);
      const { status } = (await answer.json()) as { status?: string };
      if (status === 'logged') logged += 1;
    }
  }
  expect(await storedIds(server)).toHaveLength(logged);
  process.stdout.write(`${RUNS} generated requests by status: ${JSON.stringify([...statuses])}\n`);
});
