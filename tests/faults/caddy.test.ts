/** Behind Caddy, neither a broken client nor the restart of a server costs visitors a request. */
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { startCaddy } from '../helpers/server/caddy.ts';
import { BROWSER, makeBody } from '../helpers/server/server-app.ts';
import { storedIds } from '../helpers/server/server-check.ts';
import { startServer } from '../helpers/server/server-process.ts';

const env = { TRUST_PROXY: 'loopback' };

async function startBehindCaddy() {
  const servers = [await startServer({ env }), await startServer({ env })];
  const caddy = await startCaddy(servers.map(({ port }) => port));
  return { servers, caddy };
}

/**
 * Addresses of visitors. Caddy chooses the server by the address; with 16, both servers get some.
 */
const ADDRESSES = Array.from({ length: 16 }, (_, n) => `127.0.0.${n + 10}`);

/** Returns functions with which a visitor with this address opens the page and presses a button. */
function visitorAt(localAddress: string, origin: string) {
  const agent = new Agent({ keepAlive: true, localAddress });
  onTestFinished(() => agent.destroy());
  const ask = async (path: string, body?: string): Promise<number | string | undefined> => {
    const headers = { 'user-agent': BROWSER, 'content-type': 'application/json' };
    const sent = request(origin + path, { agent, headers, method: body ? 'POST' : 'GET' });
    sent.end(body);
    try {
      const [answer] = await once(sent, 'response');
      await text(answer);
      return answer.statusCode;
    } catch (cause) {
      return String(cause);
    }
  };
  return {
    open: () => ask('/'),
    press: (id: string) => ask(LOG_CTA_PATH, JSON.stringify(makeBody({ id }))),
  };
}

const CHUNKED = 'Transfer-Encoding: chunked';
/** Requests with a malformed or incomplete body, which the server must end. */
const BROKEN: [method: string, path: string, header: string, body: string][] = [
  ['POST', '/api/log-cta', CHUNKED, 'ZZ\r\n'],
  ['GET', '/', CHUNKED, 'ZZ\r\n'],
  ['POST', '/k/e/', CHUNKED, 'FFFFFFFFFFFFFFFFFF\r\n'],
  ['GET', '/api/stats', CHUNKED, '5\r\nhelloXX\r\n0\r\n\r\n'],
  ['POST', '/api/register', CHUNKED, '0\r\nno trailer\r\n\r\n'],
  ['HEAD', '/help/', CHUNKED, '-1\r\n'],
  ['PUT', '/', CHUNKED, '\r\n\r\n'],
  ['POST', '/report', CHUNKED, '5;\0=\x7f\r\nhell'],
  ['OPTIONS', '/k/e/', CHUNKED, '0x5\r\nhello\r\n0\r\n\r\n'],
  ['POST', '/api/log-cta', 'Content-Length: 100', '{"half":'],
  ['GET', '/livez', 'Content-Length: 9', '{'],
];

/** Sends the n-th broken request, and nothing more. @returns the answer, and its time in ms */
async function sendBroken(port: number, localAddress: string, n: number) {
  const [method, path, header, body] = BROKEN[n % BROKEN.length] ?? [];
  const begun = performance.now();
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${header}`;
  socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  const answer = await text(socket);
  return { answer, ms: performance.now() - begun };
}

test('clients with broken bodies, one after the other, cost other visitors no page and no click', async () => {
  const { servers, caddy } = await startBehindCaddy();
  const visitors = ADDRESSES.map((address) => visitorAt(address, caddy.url));
  const answers: unknown[] = [];
  const times: number[] = [];
  const begun = performance.now();
  for (const n of Array(4 * BROKEN.length).keys()) {
    const { answer, ms } = await sendBroken(caddy.port, `127.0.1.${1 + (n % 7)}`, n);
    expect(answer).toMatch(/^HTTP\/1\.1 \d{3} /);
    times.push(ms);
    const visitor = visitors[n % visitors.length];
    answers.push(await visitor?.open(), await visitor?.press(randomUUIDv7()));
  }
  const perSecond = times.length / ((performance.now() - begun) / 1000);
  process.stdout.write(`${times.length} broken requests, ${perSecond.toFixed(0)} a second\n`);
  expect(answers.filter((status) => status !== 200)).toEqual([]);
  // A broken request that Caddy repeats takes 5 s.
  expect(Math.max(...times)).toBeLessThan(4000);
  // Each server has visitors.
  for (const server of servers) expect(await storedIds(server)).not.toEqual([]);
});

/** Starts visitors who open the page and press a button, again and again, until `stop`. */
function startVisits(origin: string) {
  const failures: unknown[] = [];
  const acked: string[] = [];
  let isRunning = true;
  const visits = ADDRESSES.map(async (address) => {
    const { open, press } = visitorAt(address, origin);
    while (isRunning) {
      const id = randomUUIDv7();
      const answers = [await open(), await press(id)];
      if (answers[1] === 200) acked.push(id);
      failures.push(...answers.filter((status) => status !== 200));
      // Most of a visitor's time passes without a request.
      await wait(40);
    }
  });
  const stop = async () => {
    isRunning = false;
    await Promise.all(visits);
  };
  return { failures, acked, stop };
}

test('one server after the other restarts under load: no page and no click meets the restart', async () => {
  const { servers, caddy } = await startBehindCaddy();
  const { failures, acked, stop } = startVisits(caddy.url);
  onTestFinished(stop);
  for (const server of servers) {
    expect(await server.stop('SIGTERM')).toBe(0);
    const { dataDir, port } = server;
    const restarted = await startServer({ env, dataDir, port });
    // Caddy sends it visitors again.
    await expect.poll(restarted.said, { interval: 20 }).toContain('"event":"');
  }
  await stop();
  expect(failures).toEqual([]);
  const stored = new Set((await Promise.all(servers.map(storedIds))).flat());
  expect(acked.filter((id) => !stored.has(id))).toEqual([]);
});
