/** nginx against strangers: unknown names, slow senders, and one address with too many requests. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { newId } from '../../server/database/new-id.ts';
import { startNginx } from '../helpers/cluster/nginx.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startServer, storedIds } from '../helpers/server/server-process.ts';

/** Limit in deploy/nginx/site.conf for simultaneous requests of one address. */
const AT_ONCE = 256;
/** `max_conns` there. */
const MOST_PER_SERVER = 500;

async function startSite({
  env = {},
  serverPort = 1,
  clientTimeout,
}: {
  env?: Record<string, string>;
  serverPort?: number;
  clientTimeout?: string;
} = {}) {
  const distDir = makeDist();
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], {
    env: { ...process.env, DIST_DIR: distDir, ...env },
  });
  const nginx = await startNginx({
    distDir,
    serverPorts: [serverPort],
    ...(clientTimeout && { clientTimeout }),
  });
  onTestFinished(() => nginx.remove());
  const [port, plainPort] = [nginx.url, nginx.plainUrl].map((url) => Number(new URL(url).port));
  return { nginx, port: port ?? 0, plainPort: plainPort ?? 0 };
}

/** A server that answers only when the test says so. */
async function startHoldingServer() {
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => void held.push(response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, held };
}

/** @returns the bytes that arrived until nginx closed the connection */
async function readToEnd(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => {});
  // Not once(), because a reset would reject it.
  if (!socket.closed) await new Promise((done) => socket.on('close', done));
  return Buffer.concat(parts).toString();
}

async function overTls(port: number, servername: string): Promise<Socket> {
  const options = { port, host: '127.0.0.1', rejectUnauthorized: false };
  const socket = connectTls({ ...options, ...(servername && { servername }) });
  await once(socket, 'secureConnect');
  return socket;
}

function openHttp2(url: string, localAddress = '127.0.0.1'): ClientHttp2Session {
  const { port } = new URL(url);
  const session = connectHttp2(url, {
    createConnection: () =>
      connectTls({
        ...{ port: Number(port), host: '127.0.0.1', localAddress, servername: 'localhost' },
        ...{ rejectUnauthorized: false, ALPNProtocols: ['h2'] },
      }),
  });
  onTestFinished(() => session.destroy());
  return session;
}

async function get(session: ClientHttp2Session, path: string): Promise<number> {
  const stream = session.request({ ':path': path });
  const [headers] = await once(stream, 'response');
  stream.resume();
  return Number(headers[':status']);
}

test('requests for unknown names get no certificate and no answer', async () => {
  const { port, plainPort } = await startSite();
  for (const name of ['', 'stranger.example']) {
    await expect(overTls(port, name)).rejects.toThrow(/alert/);
    const plain = connect(plainPort, '127.0.0.1');
    plain.write(`GET / HTTP/1.1\r\nHost: ${name || '127.0.0.1'}\r\n\r\n`);
    expect(await readToEnd(plain)).toBe('');
  }
  const behindRightName = await overTls(port, 'localhost');
  behindRightName.write('GET / HTTP/1.1\r\nHost: stranger.example\r\n\r\n');
  expect(await readToEnd(behindRightName)).not.toMatch(/^HTTP\/1\.1 200/);
});

test('cuts off clients that send no request, half a head or half a body', {
  timeout: 30_000,
}, async () => {
  const { port, plainPort } = await startSite({ clientTimeout: '1s' });
  const halves: [text: string, answer: RegExp][] = [
    ['', /^$/],
    ['GET / HTTP/1.1\r\nHost: local', /^$/],
    [
      'POST /api/log-cta HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
      /^(HTTP\/1\.1 408.*)?$/s,
    ],
  ];
  const beforeTls = readToEnd(connect(port, '127.0.0.1'));
  const overPlain = readToEnd(connect(plainPort, '127.0.0.1'));
  for (const [text, answer] of halves) {
    const socket = await overTls(port, 'localhost');
    socket.write(text);
    expect(await readToEnd(socket)).toMatch(answer);
  }
  expect([await beforeTls, await overPlain]).toEqual(['', '']);
});

test('limits simultaneous requests of one address: the next gets 503 with Retry-After, other addresses are served', async () => {
  const { port, held } = await startHoldingServer();
  const { nginx } = await startSite({ serverPort: port });
  const sessions = Array.from({ length: 3 }, () => openHttp2(nginx.url));
  const statuses: number[] = [];
  const asked = sessions.flatMap((session) =>
    Array.from({ length: 100 }, async () => void statuses.push(await get(session, '/api/stats'))),
  );
  await expect.poll(() => statuses.length + held.length, { timeout: 30_000 }).toBe(asked.length);
  expect(held.length).toBe(AT_ONCE);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(await get(openHttp2(nginx.url, '127.0.0.2'), '/')).toBe(200);
  for (const response of held) response.end('{}');
  await Promise.all(asked);
  expect(statuses.filter((status) => status === 200)).toHaveLength(AT_ONCE);
});

test('passes at most 500 calls at once on to a server: further clicks of all addresses get 503 at once', async () => {
  const { port, held } = await startHoldingServer();
  const { nginx } = await startSite({ serverPort: port });
  const statuses: number[] = [];
  const asked = [2, 3, 4, 5].flatMap((n) => {
    const session = openHttp2(nginx.url, `127.0.0.${n}`);
    const others = openHttp2(nginx.url, `127.0.0.${n}`);
    return Array.from({ length: 200 }, async (_, i) => {
      statuses.push(await get(i % 2 ? session : others, '/api/stats'));
    });
  });
  await expect.poll(() => statuses.length + held.length, { timeout: 30_000 }).toBe(asked.length);
  expect(held.length).toBe(MOST_PER_SERVER);
  expect(new Set(statuses)).toEqual(new Set([503]));
  for (const response of held) response.end('{}');
  await Promise.all(asked);
});

test('a server that stands still: clicks of one address get 503, pages answer there, and then all clicks are taken', async () => {
  const server = await startServer({ env: { TRUST_PROXY: 'loopback' } });
  const { nginx } = await startSite({ serverPort: server.port });
  server.child.kill('SIGSTOP');
  const clicks = Array.from({ length: AT_ONCE + 50 }, () => newId());
  const sessions = Array.from({ length: 4 }, () => openHttp2(nginx.url));
  const answers: unknown[] = [];
  const click = async (id: string, n: number) => {
    const stream = (sessions[n % sessions.length] ?? openHttp2(nginx.url)).request({
      ...{ ':method': 'POST', ':path': LOG_CTA_PATH, 'content-type': 'application/json' },
    });
    stream.end(JSON.stringify(makeBody({ id })));
    const [headers] = await once(stream, 'response');
    stream.resume();
    answers.push([headers[':status'], headers['retry-after']]);
    return headers[':status'];
  };
  const first = clicks.map(click);
  await expect.poll(() => answers.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(50);
  for (const answer of answers) expect(answer).toEqual([503, '5']);
  // Pages of the same address, while its other clicks wait for the server.
  for (const path of ['/', '/?ref=clinic-7', '/']) {
    const page = openHttp2(nginx.url);
    expect(await get(page, path)).toBe(200);
    page.destroy();
  }
  server.child.kill('SIGCONT');
  for (const [n, id] of clicks.entries()) {
    const again = () => click(id, n);
    if ((await first[n]) !== 200) await expect.poll(again, { timeout: 30_000 }).toBe(200);
  }
  expect((await storedIds(server.ledger)).sort()).toEqual(clicks.sort());
});

test('answers a body that is too large with JSON; for events the limit is 384 KB', async () => {
  const { port, held } = await startHoldingServer();
  const { nginx } = await startSite({ serverPort: port });
  const session = openHttp2(nginx.url);
  const post = async (path: string, kilobytes: number) => {
    const stream = session.request({ ':method': 'POST', ':path': path });
    stream.on('error', () => {});
    stream.end(Buffer.alloc(kilobytes * 1024));
    const [headers] = await once(stream, 'response');
    const parts = await Array.fromAsync(stream as AsyncIterable<Buffer>);
    return { status: headers[':status'], body: Buffer.concat(parts).toString() };
  };
  for (const [path, kilobytes] of [
    ['/api/log-cta', 17],
    ['/k/e/', 385],
  ] as const) {
    const { status, body } = await post(path, kilobytes);
    expect([path, status, JSON.parse(body).error.code]).toEqual([path, 413, 'too_large']);
  }
  const taken = post('/k/e/', 384);
  await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
  held[0]?.end('{}');
  expect((await taken).status).toBe(200);
});

test.each([
  [{}, 'max-age=63072000'],
  [{ HSTS: 'preload' }, 'max-age=63072000; includeSubDomains; preload'],
])('with %j, files have %s', async (env, expected) => {
  const { nginx } = await startSite({ env });
  const stream = openHttp2(nginx.url).request({ ':path': '/' });
  const [headers] = await once(stream, 'response');
  expect(headers['strict-transport-security']).toBe(expected);
});
