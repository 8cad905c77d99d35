/** RATE_LIMIT: clicks a minute and address. The other limits are multiples of it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

// The minute stands still, because on a busy machine it could end within a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

type App = Awaited<ReturnType<typeof startApp>>['app'];

const CLICK = { method: 'POST', url: '/api/log-cta' } as const;
const REGISTER = { method: 'POST', url: '/api/register' } as const;
const EVENT = { method: 'POST', url: '/k/e/' } as const;
const VIEW = { method: 'POST', url: '/k/visit' } as const;
const OTHERS = ['/api/stats', '/r/clinic-7', '/none'].map(
  (url) => ({ method: 'GET', url }) as const,
);

const click = (app: App, from: string, remoteAddress = '127.0.0.1') => {
  const headers = { 'x-forwarded-for': from };
  return app.inject({ ...CLICK, payload: makeBody(), remoteAddress, headers });
};

test('by default an address has 600 clicks, 20 registrations, 1200 page views, 1200 event requests and 3000 others a minute', async () => {
  const { app } = await startApp();
  const limitOf = async (request: typeof CLICK) =>
    (await app.inject({ ...request, payload: {} })).headers['ratelimit-limit'];
  expect(await limitOf(CLICK)).toBe('600');
  expect(await limitOf(REGISTER as never)).toBe('20');
  for (const route of [EVENT, VIEW]) expect(await limitOf(route as never)).toBe('1200');
  for (const other of OTHERS)
    expect((await app.inject(other)).headers['ratelimit-limit'], other.url).toBe('3000');
});

test('each route counts separately, pages have no limit, and 0 lifts all', async () => {
  const { app } = await startApp({ env: { RATE_LIMIT: '1' } });
  for (const other of OTHERS) {
    for (let n = 0; n < 5; n += 1) expect((await app.inject(other)).statusCode).not.toBe(429);
    const refused = await app.inject(other);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
  }
  for (let n = 0; n < 20; n += 1) expect((await app.inject('/')).statusCode).toBe(200);
  const free = await startApp({ env: { RATE_LIMIT: '0' } });
  for (const request of [CLICK, REGISTER, EVENT, VIEW, ...OTHERS]) {
    const { headers } = await free.app.inject(request);
    expect(headers, request.url).not.toHaveProperty('ratelimit-limit');
  }
});

test('one visitor is an IPv4 address with any port, or an IPv6 /56', async () => {
  const { app } = await startApp({ env: { RATE_LIMIT: '1', TRUST_PROXY: '1' } });
  const cases: [from: string, status: number][] = [
    ['192.0.2.1', 200],
    ['192.0.2.1:4711', 429],
    ['::ffff:192.0.2.1', 429],
    ['192.0.2.2', 200],
    ['2001:db8:1:2200::1', 200],
    ['2001:db8:1:22ff::1', 429],
    ['2001:db8:1:2300::1', 200],
  ];
  for (const [from, status] of cases)
    expect((await click(app, from)).statusCode, from).toBe(status);
});

test('only the X-Forwarded-For of a trusted proxy makes another visitor', async () => {
  for (const [TRUST_PROXY, remoteAddress, status] of [
    ['', '192.0.2.1', 429],
    ['1', '192.0.2.1', 200],
    ['loopback', '127.0.0.1', 200],
    ['10.0.0.0/8, loopback', '10.1.2.3', 200],
    ['loopback', '192.0.2.1', 429],
  ] as const) {
    const { app } = await startApp({ env: { RATE_LIMIT: '1', TRUST_PROXY } });
    expect((await click(app, '198.51.100.1', remoteAddress)).statusCode).toBe(200);
    expect((await click(app, '198.51.100.2', remoteAddress)).statusCode).toBe(status);
  }
});

test('while the event loop is late, clicks get 503, and pages are served', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { app, postClick } = await startApp({ parts: { maxEventLoopDelayMs: 20 } });
  const status = async () => (await postClick(makeBody())).statusCode;
  const work = async (ms: number) => {
    for (let n = 0; n < 3; n += 1) {
      const end = performance.now() + ms;
      while (performance.now() < end);
      await new Promise(setImmediate);
    }
    // The server looks at its delay once a second.
    vi.advanceTimersByTime(1000);
  };
  expect(await status()).toBe(200);
  await work(60);
  const refused = await postClick(makeBody());
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  expect((await app.inject('/')).statusCode).toBe(200);
  const again = () => {
    vi.advanceTimersByTime(1000);
    return status();
  };
  await expect.poll(again).toBe(200);
});

test('ten thousand other addresses do not make a server forget one', async () => {
  const { app } = await startApp({ env: { RATE_LIMIT: '1', TRUST_PROXY: '1' } });
  const ask = (from: string) =>
    app.inject({ url: '/r/clinic-7', headers: { 'x-forwarded-for': from } });
  for (let n = 0; n < 6; n += 1) await ask('192.0.2.1');
  for (let n = 0; n < 10_000; n += 1) await ask(`10.0.${n >> 8}.${n & 255}`);
  expect((await ask('192.0.2.1')).statusCode).toBe(429);
});

test('a proxy that names no visitor is warned of once, and one that names them is not', async () => {
  const post = async (TRUST_PROXY: string, forwarded: Record<string, string>, origin = true) => {
    const site = await startApp({ env: { TRUST_PROXY } });
    const headers = { ...forwarded, ...(origin && { origin: 'http://localhost:80' }) };
    for (const url of ['/api/log-cta', '/k/e/'])
      await site.app.inject({ method: 'POST', url, payload: makeBody(), headers });
    return site.logged().filter(({ msg }) => String(msg).startsWith('TRUST_PROXY is set')).length;
  };
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };
  expect(await post('1', {})).toBe(1);
  // A header of a proxy that TRUST_PROXY does not name.
  expect(await post('10.0.0.1', forwarded)).toBe(1);
  expect(await post('1', forwarded)).toBe(0);
  // `site check --url` on the server's machine is no browser.
  expect(await post('1', {}, false)).toBe(0);
});
