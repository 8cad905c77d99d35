import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRedis } from '../helpers/cluster/redis.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis?.remove());

type Site = Awaited<ReturnType<typeof startApp>>;

/** Sends from an address that no other test uses. */
const click = (site: Site, address: string) =>
  site.app.inject({
    method: 'POST',
    url: '/api/log-cta',
    payload: makeBody(),
    headers: { 'x-forwarded-for': address },
  });
const said = (site: Site) => site.logged().map(({ msg }) => msg);

/** Long, because Redis may be slow on a busy machine. Tests with a silent Redis use a short one. */
const PATIENCE_MS = '30000';

async function startSite(limit = '3', url = redis.url, patienceMs = PATIENCE_MS) {
  const env = {
    REDIS_URL: url,
    REDIS_TIMEOUT_MS: patienceMs,
    RATE_LIMIT_CLICKS: limit,
    TRUST_PROXY: '1',
  };
  const site = await startApp({ env });
  return site;
}

/** Waits until both servers count together in Redis. */
async function untilTogether(a: Site, b: Site): Promise<void> {
  let n = 0;
  await expect
    .poll(async () => {
      n += 1;
      const address = `198.51.${n}.1`;
      await click(a, address);
      return (await click(b, address)).headers['ratelimit-remaining'];
    })
    .toBe('1');
}

test('servers count an address together, and each route separately', async () => {
  const [a, b] = await Promise.all([startSite(), startSite()]);
  await untilTogether(a, b);
  const answers = [];
  for (const site of [a, b, a, b]) answers.push(await click(site, '203.0.113.1'));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429]);
  expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(50);
  expect((await click(b, '203.0.113.2')).statusCode).toBe(200);
  expect((await a.app.inject('/api/stats')).statusCode).toBe(200);
  expect([...said(a), ...said(b)]).toEqual([]);
});

test('servers count a network together, with ten times the limit of an address', async () => {
  const [a, b] = await Promise.all([startSite(), startSite()]);
  await untilTogether(a, b);
  const answers = [];
  for (let n = 0; n < 40; n += 1) answers.push(await click(n % 2 ? a : b, `192.0.2.${n}`));
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
});

test.each([
  ['gone', PATIENCE_MS, '203.0.113.3', () => redis.kill(), () => redis.restart()],
  ['silent', '1000', '203.0.113.4', async () => redis.freeze(), async () => redis.thaw()],
])(
  'while Redis is %s the servers take clicks, count alone, and log it once',
  async (_how, patienceMs, address, take, bring) => {
    const start = () => startSite('3', redis.url, patienceMs);
    const [a, b] = await Promise.all([start(), start()]);
    await untilTogether(a, b);
    const saidBefore = [said(a).length, said(b).length] as const;
    await take();
    const first = await click(a, address);
    expect(first.statusCode).toBe(200);
    for (const status of [200, 200, 429]) expect((await click(a, address)).statusCode).toBe(status);
    expect((await click(b, address)).statusCode).toBe(200);

    await bring();
    for (const [i, site] of [a, b].entries()) {
      await expect
        .poll(() => said(site).slice(saidBefore[i]))
        .toEqual([
          'Redis is away: each server counts requests by itself',
          'Redis is back: requests are counted together again',
        ]);
    }
    await untilTogether(a, b);
  },
);

test('after Redis ends, no address gets its allowance a second time', async () => {
  const [a, b] = await Promise.all([startSite(), startSite()]);
  await untilTogether(a, b);
  const statuses = async (n: number) => {
    const answers = [];
    for (let i = 0; i < n; i += 1) answers.push((await click(a, '203.0.113.6')).statusCode);
    return answers;
  };
  expect(await statuses(2)).toEqual([200, 200]);
  await redis.kill();
  expect(await statuses(2)).toEqual([200, 429]);
  await redis.restart();
});

test('a server that starts without Redis counts alone, and is degraded', async () => {
  const site = await startSite('1', 'redis://127.0.0.1:1');
  expect((await click(site, '203.0.113.5')).statusCode).toBe(200);
  expect((await click(site, '203.0.113.5')).statusCode).toBe(429);
  await expect
    .poll(() => said(site))
    .toEqual(['Redis is away: each server counts requests by itself']);
  const health = await site.app.inject('/healthz');
  expect([health.statusCode, health.json()]).toEqual([
    200,
    { status: 'degraded', reasons: ['Redis does not answer. Each server counts requests alone.'] },
  ]);
});
