/** Strangers who open connections and leave them idle. */
import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { sendClick } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const GET = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
const FILM_BYTES = 64 * 1024 * 1024;

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a request and keeps the connection. @returns false if the server closed it without an answer */
async function isServed(socket: Socket): Promise<boolean> {
  const answered = new Promise<boolean>((done) => {
    socket.once('data', (text) => done(String(text).startsWith('HTTP/1.1 200')));
    socket.once('close', () => done(false));
  });
  socket.write(GET);
  return answered;
}

test('one address gets a fifth of the connections; others are served, and it can connect again later', async () => {
  const server = await startServer({ env: { MAX_CONNECTIONS: '50' } });
  const sockets = Array.from({ length: 40 }, () => open(server.port));
  const served = (await Promise.all(sockets.map(isServed))).filter(Boolean);
  // Up to two connections remain from the wait for the server's start.
  expect(served.length).toBeLessThanOrEqual(10);
  expect(served.length).toBeGreaterThanOrEqual(8);
  const another = new Agent({ localAddress: '127.0.0.2' });
  expect(await sendClick(server.url, newId(), another)).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => sendClick(server.url, newId()), { timeout: 30_000 }).toBe(200);
});

test('behind a proxy an address has no limit, and the server closes idle connections for new ones', async () => {
  const server = await startServer({ env: { MAX_CONNECTIONS: '20', TRUST_PROXY: 'loopback' } });
  const sockets = Array.from({ length: 40 }, () => open(server.port));
  const served = (await Promise.all(sockets.map(isServed))).filter(Boolean);
  expect(served.length).toBeGreaterThanOrEqual(18);
  // Otherwise the server would keep an idle connection for 72 s.
  for (let n = 0; n < 3; n += 1) {
    const next = () => isServed(open(server.port));
    await expect.poll(next, { timeout: 30_000 }).toBe(true);
  }
});

test('the server cuts off a client that does not read its answer', async () => {
  const distDir = makeDist();
  const film = join(distDir, 'client/assets/long.mp4');
  mkdirSync(join(distDir, 'client/assets'), { recursive: true });
  writeFileSync(film, '');
  truncateSync(film, FILM_BYTES);
  const { app } = await startApp({ env: { DIST_DIR: distDir } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const accepted = once(app.server, 'connection');
  const socket = open((app.server.address() as AddressInfo).port);
  socket.pause();
  socket.write('GET /assets/long.mp4 HTTP/1.1\r\nHost: x\r\n\r\n');
  const [ours] = (await accepted) as [Socket];
  await new Promise((done) => ours.once('close', done));
  expect(ours.bytesWritten).toBeLessThan(FILM_BYTES);
});
