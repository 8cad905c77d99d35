/** No request of a stranger may hold the event loop, because all visitors share it. */
import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { expect, test } from 'vitest';
import { POSTHOG_PATH } from '#contract/limits.ts';
import { createMetrics } from '../../server/watch/metrics.ts';
import { browserEvent } from '../helpers/fakes/browser-event.ts';
import { PERSON } from '../helpers/server/registrations.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

/**
 * Upper bound for a request, in milliseconds of the event loop, on a machine that does the
 * reference work in `REFERENCE_MS`. A machine that is slower at that moment has more time.
 */
const MAX_MS = 50;
const REFERENCE_MS = 60;
/** About 6 MB. A request that is slow by its pattern takes seconds, on any machine. */
const REFERENCE_WORK = JSON.stringify(Array.from({ length: 500_000 }, (_, n) => ({ n })));
/** The garbage collector may run within any request, so the quickest try counts. */
const TRIES = 5;
/** Node's own bound for the request line and the headers is 16 KB. */
const HEAD_BYTES = 15_500;
/** As many as the proxy takes at once. */
const EVENTS = 100;

/** One of each class of characters. A word, because some patterns repeat at a word. */
const UNITS = [
  'a',
  '0',
  '.',
  '/',
  ':',
  '-',
  '%',
  '%20',
  '%c3%a9',
  '&',
  '=',
  '"',
  "'",
  ')',
  'watch',
  // Lists with as many fields as fit.
  '&a',
  'a=&',
  ',',
  ';',
];
const BODY_UNITS = [
  ...UNITS,
  ' ',
  'é',
  '漢',
  '\\',
  'a.',
  'a:',
  'a@',
  '::',
  '\t',
  '\n',
  '%00&',
  '[',
  '[],',
  '{"a":',
  '{},',
  '"a":1,',
  '\r\n--a',
];
/** Headers that the server or one of its libraries reads. */
const HEADERS = [
  'user-agent',
  'referer',
  'origin',
  'accept',
  'accept-encoding',
  'content-type',
  'cookie',
  'if-none-match',
  'if-modified-since',
  'range',
  'x-forwarded-for',
  'x-request-id',
  'dnt',
  'ping-from',
  'ping-to',
  'sec-gpc',
  'sec-fetch-site',
  'forwarded',
  'authorization',
];
/** Without a browser's name, a user agent is a robot's, and the server does not read it. */
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0 ';
const TYPES = ['application/json', 'text/plain', 'text/ping', 'application/x-www-form-urlencoded'];

interface Route {
  method: 'GET' | 'POST';
  url: string;
  /** Bytes. */
  bodyLimit: number;
}

type Request = Pick<InjectOptions, 'url' | 'headers' | 'payload'>;

const fill = (unit: string, length: number): string =>
  unit.repeat(Math.floor(length / Buffer.byteLength(unit)));
const isForPosthog = (url: string): boolean => url.startsWith(POSTHOG_PATH);
const json = { 'content-type': 'application/json' };

function validBody(url: string, events = EVENTS): string {
  if (!isForPosthog(url)) return JSON.stringify(url.includes('register') ? PERSON : makeBody());
  const batch = Array.from({ length: events }, () => browserEvent());
  return JSON.stringify({ api_key: 'phc_test', batch });
}

/**
 * The longest paths, queries, headers, bodies and fields. One at a time, because together they
 * exceed the memory.
 */
function* hostileRequests({ method, url, bodyLimit }: Route): Generator<Request> {
  const plain = url.replace('*', 'x');
  const headers = { ...json, 'sec-gpc': '1' };
  const body = method === 'POST' ? { payload: 'x' } : {};
  for (const unit of UNITS) {
    yield { url: `${plain}?${fill(unit, HEAD_BYTES)}`, headers, ...body };
    if (url.includes('*')) yield { url: url.replace('*', `${fill(unit, HEAD_BYTES)}x`), headers };
  }
  // Other pages share the hooks that read headers.
  if (method === 'POST' || url.includes('*')) yield* longHeaders(plain, method);
  if (method === 'POST') yield* longBodies(url, bodyLimit);
}

function* longHeaders(url: string, method: Route['method']): Generator<Request> {
  for (const header of HEADERS) {
    const head = header === 'user-agent' ? FIREFOX : '';
    for (const unit of UNITS) {
      const headers = { ...json, [header]: head + fill(unit, HEAD_BYTES - 100) };
      // A valid registration takes a tenth of a second.
      const payload = url.includes('register') ? 'x' : validBody(url);
      yield { url, headers, ...(method === 'POST' && { payload }) };
    }
  }
}

function* longBodies(url: string, bodyLimit: number): Generator<Request> {
  // The proxy reads each type in the same way, and leaves out what a visitor with GPC sends.
  const [types, gpc] = isForPosthog(url) ? [TYPES.slice(0, 1), '0'] : [TYPES, '1'];
  const valid = validBody(url, 1);
  const texts = valid
    .matchAll(/(?<=:)"[^"]*"/g)
    .map(String)
    .toArray();
  for (const unit of BODY_UNITS) {
    for (const type of types)
      for (const head of ['', '"', 'data=']) {
        const payload = head + fill(unit, bodyLimit - 10) + (head === '"' ? '"' : '');
        yield { url, headers: { 'content-type': type, 'sec-gpc': gpc }, payload };
      }
    // Each of these takes more than one character in JSON.
    const long = fill(unit, bodyLimit - valid.length - 100).replaceAll(/["\\\t\r\n]/g, '');
    for (const text of texts)
      yield { url, headers: json, payload: valid.replace(text, () => `"${long}"`) };
  }
}

test('no request of the longest path, query, header, body or field takes more than 50 ms of the event loop', async () => {
  const routes: Route[] = [];
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', ({ method, url, bodyLimit = 0 }) => {
      for (const one of ['GET', 'POST'] as const)
        if (method === one) routes.push({ method: one, url, bodyLimit });
    });
  });
  // With `full`, the server writes the beginning of each rejected request into a log.
  const { app } = await startApp({
    env: { RATE_LIMIT: '0' },
    site: { logIp: 'full' },
    parts: { maxWaiting: Number.POSITIVE_INFINITY, metrics: createMetrics() },
  });
  const cpuMs = async (work: () => unknown) => {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  };
  const maxMs = async () => {
    const referenceMs = await cpuMs(() => JSON.parse(REFERENCE_WORK));
    return MAX_MS * Math.max(1, referenceMs / REFERENCE_MS);
  };
  const isSlow = async (request: InjectOptions) => {
    for (let n = 0; n < TRIES; n += 1)
      if ((await cpuMs(() => app.inject(request))) <= MAX_MS) return false;
    return (await cpuMs(() => app.inject(request))) > (await maxMs());
  };
  let count = 0;
  const slow: string[] = [];
  for (const { method, ...route } of routes)
    for (const request of hostileRequests({ method, ...route })) {
      count += 1;
      if (await isSlow({ method, ...request }))
        slow.push(`${method} ${JSON.stringify(request).slice(0, 300)}`);
    }
  expect(count).toBeGreaterThan(3600);
  expect(slow).toEqual([]);
}, 600_000);
