/** Strangers who open connections and leave them idle. */

import { randomUUIDv7 as newId } from 'node:crypto';
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startListener } from '../helpers/fakes/server-listener.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { insist, sendClick } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const GET = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const FILM_BYTES = 64 * 1024 * 1024;

/** @returns the folder of a build with a file that fills every buffer between the server and a client */
function makeDistWithFilm(): string {
  const distDir = makeDist();
  const film = join(distDir, 'client/assets/long.mp4');
  mkdirSync(join(distDir, 'client/assets'), { recursive: true });
  writeFileSync(film, '');
  truncateSync(film, FILM_BYTES);
  return distDir;
}

function open(port: number, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends a request and keeps the connection. @returns false if the server closed it without an answer */
async function isServed(socket: Socket): Promise<boolean> {
  const answered = new Promise<boolean>((done) => {
    const refused = () => done(false);
    socket.once('close', refused);
    socket.once('data', (text) => {
      socket.off('close', refused);
      done(String(text).startsWith('HTTP/1.1 200'));
    });
  });
  socket.write(GET);
  return answered;
}

/** Sends a body without an event. @returns the status: 400, or 503 if the server has no room for it */
function statusOfEvent(port: number, localAddress: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', localAddress, method: 'POST', path: '/k/e/' };
    const sent = request(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sent.on('error', reject).end('{}');
  });
}

/** Opens connections, a hundred at a time, because a busy machine resets many at once. Each sends a request, and stays open. */
async function openMany(port: number, count: number) {
  const sockets: Socket[] = [];
  let served = 0;
  while (sockets.length < count) {
    const more = Array.from({ length: 100 }, () => open(port));
    sockets.push(...more);
    served += (await Promise.all(more.map(isServed))).filter(Boolean).length;
  }
  return { sockets, served };
}

test('one address gets a thousand connections; others are served, and it can connect again later', async () => {
  const server = await startServer();
  const { sockets, served } = await openMany(server.port, 1100);
  // Up to two connections remain from the wait for the server's start.
  expect(served).toBeLessThanOrEqual(1000);
  expect(served).toBeGreaterThanOrEqual(998);
  const another = new Agent({ localAddress: '127.0.0.2' });
  await insist(server.url, newId(), another);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => sendClick(server.url, newId()), { timeout: 30_000 }).toBe(200);
});

test('a client that sends many requests without reading loses its connection, and opens no files', async () => {
  const server = await startServer({ env: { DIST_DIR: makeDistWithFilm() } });
  const files = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
  const before = files();
  const sockets = Array.from({ length: 5 }, () => open(server.port));
  for (const socket of sockets) {
    socket.pause();
    socket.write('GET /assets/long.mp4 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000));
  }
  // The server answers this click after it has read the requests.
  await insist(server.url, newId());
  expect(files()).toBeLessThan(before + 50);
  const closed = sockets.map(
    (socket) => new Promise((done) => socket.once('close', done).resume()),
  );
  await Promise.all(closed);
});

test('a client that waits for each answer keeps its connection', async () => {
  const server = await startServer();
  const socket = open(server.port);
  for (let n = 0; n < 50; n += 1) expect(await isServed(socket)).toBe(true);
});

test('slow bodies of one address leave room for the events of others', async () => {
  const posthog = await startListener();
  const server = await startServer({ site: { posthogHost: posthog.url } });
  const head = 'POST /k/e/ HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n';
  const sockets = Array.from({ length: 120 }, () => open(server.port));
  const refused = sockets.map(
    (socket) =>
      new Promise<void>((done) => {
        socket.once('data', (text) => String(text).includes('503') && done());
        socket.write(head);
      }),
  );
  let known = 0;
  for (const each of refused) void each.then(() => (known += 1));
  await expect.poll(() => known).toBe(100);
  expect(await statusOfEvent(server.port, '127.0.0.2')).toBe(400);
});

test('behind a proxy an address has no limit', async () => {
  const server = await startServer({ env: { TRUST_PROXY: 'loopback' } });
  expect((await openMany(server.port, 1100)).served).toBe(1100);
});
