/** Strangers who open many connections, are slow, or break off do not keep visitors out. */
import { spawnSync } from 'node:child_process';
import { randomUUIDv7 as newId } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storedIds } from '../helpers/server/server-check.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { insist } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const GET = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
const FILM_BYTES = 64 * 1024 * 1024;
/** The strangers' address. Clicks come from 127.0.0.1. */
const STRANGERS = '127.0.0.2';

/**
 * Makes a build with a file that is larger than all buffers between server and client.
 *
 * @returns its folder
 */
function makeDistWithFilm(): string {
  const distDir = makeDist();
  const film = join(distDir, 'client/assets/long.mp4');
  writeFileSync(film, '');
  truncateSync(film, FILM_BYTES);
  return distDir;
}

/** Opens a connection until the end of the test. */
function open(port: number, localAddress = STRANGERS): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  return socket;
}

/**
 * Sends a request and keeps the connection.
 *
 * @returns false if the server closed it without an answer
 */
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

/**
 * Opens connections that send a request and stay open. It opens a hundred at a time, because a busy
 * machine would reset some of more.
 *
 * @returns `served`: how many were answered
 */
async function openMany(port: number, count: number, localAddress = STRANGERS) {
  const sockets: Socket[] = [];
  let served = 0;
  while (sockets.length < count) {
    const more = Array.from({ length: 100 }, () => open(port, localAddress));
    sockets.push(...more);
    served += (await Promise.all(more.map(isServed))).filter(Boolean).length;
  }
  return { sockets, served };
}

test('one address keeps a thousand connections, whose oldest give way to its newer ones; others are served', async () => {
  const server = await startServer();
  const { sockets, served } = await openMany(server.port, 1100);
  expect(served).toBe(1100);
  const isOpen = () => sockets.map((socket) => !socket.destroyed);
  const expected = [...Array(100).fill(false), ...Array(1000).fill(true)];
  await expect.poll(isOpen).toEqual(expected);
  await insist(server.url, newId());
});

test('with few descriptors, neither idle connections of many addresses nor requests for files keep a visitor out', async () => {
  const few = ['sh', '-c', 'ulimit -n 1024 && exec "$@"', 'sh'];
  const server = await startServer({ dist: makeDistWithFilm(), through: few });
  await expect
    .poll(server.said)
    .toContain('At most 462 connections at the same time, because this process may open only 1024');
  for (let n = 2; n < 8; n += 1) await openMany(server.port, 100, `127.0.0.${n}`);
  for (let n = 0; n < 300; n += 1) {
    const socket = open(server.port, `127.0.0.${10 + (n % 5)}`).pause();
    socket.write('GET /assets/long.mp4 HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(9));
  }
  expect(await isServed(open(server.port, '127.0.0.99'))).toBe(true);
  await insist(server.url, newId());
  expect(readdirSync(`/proc/${server.child.pid}/fd`).length).toBeLessThan(1000);
});

test('a server that may open no further file takes clicks on the connections that it has, and does not end', async () => {
  const server = await startServer();
  await insist(server.url, newId());
  spawnSync('prlimit', ['--pid', String(server.child.pid), '--nofile=10']);
  let count = 1;
  // The loop is longer than a second, after which the server checks how late its event loop is.
  for (const end = performance.now() + 1500; performance.now() < end; count += 1)
    await insist(server.url, newId());
  expect(await storedIds(server)).toHaveLength(count);
});

test('a client that sends many requests without reading loses its connection, and opens no files', async () => {
  const server = await startServer({ dist: makeDistWithFilm() });
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

test('behind a proxy an address has no limit, and a client that waits for each answer keeps its connection', async () => {
  const server = await startServer({ env: { TRUST_PROXY: 'loopback' } });
  const { sockets, served } = await openMany(server.port, 1100);
  expect(served).toBe(1100);
  for (let n = 0; n < 50; n += 1) expect(await isServed(sockets[0] as Socket)).toBe(true);
});

const HEAD = 'POST /api/log-cta HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

/** Waits until the server closes a connection. @returns what has arrived on it */
async function untilClosed(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(parts).toString();
}

test('the server cuts off slow senders, and meanwhile takes clicks; connections that break do not end it', async () => {
  const server = await startServer();
  const slow: Promise<string>[] = [];
  const halves = [HEAD, 'POST /api/lo', `${HEAD}Content-Length: 400\r\n\r\n{"event":`, ''];
  const openSlow = (n: number) => {
    const socket = open(server.port);
    socket.write(halves[n % halves.length] ?? '');
    slow.push(untilClosed(socket));
  };
  const whole = `${HEAD}Content-Length: 2\r\n\r\n{}`;
  const openAndBreak = (n: number) => {
    const socket = open(server.port, '127.0.0.3');
    socket.write(whole.slice(0, n || undefined), () => socket.resetAndDestroy());
  };
  // A click after each hundred lets the server accept them: if too many wait, the kernel drops
  // some, and the client does not learn it.
  for (const [opens, count] of [
    [openSlow, 900],
    [openAndBreak, 300],
  ] as const)
    for (let n = 0; n < count; n += 1) {
      opens(n);
      if (n % 100 === 99) await insist(server.url, newId());
    }
  for (let n = 0; n < 8; n += 1) await insist(server.url, newId());
  const answers = await Promise.all(slow);
  expect(answers.filter((text) => !text.startsWith('HTTP/1.1 408'))).toEqual([]);
  expect(await storedIds(server)).toHaveLength(20);
});
