import { describe, expect, test } from 'vitest';
import { makeBody, startApp } from '../../../helpers/server/server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

/** Sends clicks from each address. @returns the number of accepted clicks */
async function taken(site: Site, addresses: string[]): Promise<number> {
  const answers = await Promise.all(
    addresses.map((address) =>
      site.app.inject({
        method: 'POST',
        url: '/api/log-cta',
        payload: makeBody(),
        headers: { 'x-forwarded-for': address },
      }),
    ),
  );
  return answers.filter(({ statusCode }) => statusCode === 200).length;
}

const LIMIT = 2;
const start = () => startApp({ env: { RATE_LIMIT_CLICKS: String(LIMIT), TRUST_PROXY: '1' } });
const each = (count: number, address: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => address(n));

describe('the limit holds', () => {
  test('for the 65,536 /64s of one IPv6 /48 together: ten times one limit', async () => {
    const site = await start();
    expect(
      await taken(
        site,
        each(50, (n) => `2001:db8:1:${n.toString(16)}::1`),
      ),
    ).toBe(10 * LIMIT);
    expect(await taken(site, ['2001:db8:2:1::1'])).toBe(1);
  });

  test('for the addresses of one IPv4 /24 together: ten times one limit', async () => {
    const site = await start();
    expect(
      await taken(
        site,
        each(50, (n) => `192.0.2.${n}`),
      ),
    ).toBe(10 * LIMIT);
    expect(await taken(site, ['198.51.100.1'])).toBe(1);
  });

  test('for all senders together: a hundred times one limit', async () => {
    const site = await start();
    expect(
      await taken(
        site,
        each(300, (n) => `10.${n >> 8}.${n & 255}.1`),
      ),
    ).toBe(100 * LIMIT);
  });

  test('on each route separately, statistics included', async () => {
    const site = await startApp({ env: { RATE_LIMIT_OTHER: '3', TRUST_PROXY: '1' } });
    const ask = (n: number) =>
      site.app.inject({
        url: '/api/stats',
        headers: { 'x-forwarded-for': `2001:db8:7:${n.toString(16)}::1` },
      });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
    expect(await taken(site, ['2001:db8:7:1::1'])).toBe(1);
  });
});

test('one address cannot use up the limit of its network', async () => {
  const site = await start();
  await taken(
    site,
    each(100, () => '192.0.2.1'),
  );
  expect(await taken(site, ['192.0.2.2', '192.0.2.3'])).toBe(2);
});
