/** Clients that reset their connection right after a request. */

import { randomUUIDv7 as newId } from 'node:crypto';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { parseLines } from '../helpers/server/read-lines.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { insist } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const RESETS = 600;
const AT_ONCE = 300;

const ROUTES: [path: string, body: object][] = [
  ['/api/log-cta', makeBody()],
  ['/api/register', { firstName: 'Ana', lastName: 'Example', email: 'ana@example.org' }],
  ['/k/e/', { api_key: 'phc_test', batch: [{ event: 'cta_click', properties: {} }] }],
];

async function sendAndReset(port: number, path: string, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    () => socket.resetAndDestroy(),
  );
  await new Promise((done) => socket.on('close', done));
}

async function resetMany(port: number, path: string, body: object): Promise<void> {
  for (let sent = 0; sent < RESETS; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendAndReset(port, path, body)));
  }
}

test('with the default rate limits, resets do not end the server or fill its log', async () => {
  const server = await startServer({ env: { RATE_LIMIT: '' } });
  for (const [path, body] of ROUTES) {
    await resetMany(server.port, path, body);
    expect((await fetch(`${server.url}/healthz`)).status, `after ${path}`).toBe(200);
  }
  const another = new Agent({ localAddress: '127.0.0.2' });
  await insist(server.url, newId(), another);
  expect(await server.stop('SIGTERM')).toBe(0);
  const messages = parseLines(server.said()).filter((line) => line.event === undefined);
  expect(messages.filter((line) => Number(line.level) >= 50)).toEqual([]);
  expect(JSON.stringify(messages).length).toBeLessThan(10_000);
});
