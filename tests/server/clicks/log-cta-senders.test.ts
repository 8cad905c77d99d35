import { describe, expect, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

describe('addresses', () => {
  const SIX = '2001:db8:1:2:3:4:5:6';
  const cases: [policy: string, ip: string, remote: string][] = [
    ['full', SIX, '198.51.100.77'],
    ['truncated', '2001:db8:1::', '198.51.100.0'],
  ];
  test.each(cases)('are in the line as LOG_IP=%s sets it', async (policy, ip, remote) => {
    const site = await startApp({ env: { LOG_IP: policy, TRUST_PROXY: '1' } });
    await postClick(site, makeBody({ ip: SIX }), { 'x-forwarded-for': '198.51.100.77' });
    expect(site.lines()).toMatchObject([{ ip, remote_ip: remote }]);
  });

  test('are not in the line with LOG_IP=none', async () => {
    const site = await startApp({ env: { LOG_IP: 'none' } });
    await postClick(site, makeBody());
    expect(site.lines()).toMatchObject([{ ip: null, remote_ip: null }]);
  });

  test.each(['sec-gpc', 'dnt'])('are not in the line of a visitor who sends %s', async (header) => {
    const site = await startApp();
    await postClick(site, makeBody(), { [header]: '1' });
    await postClick(site, makeBody({ event: 'none' }), { [header]: '1' });
    expect(site.lines()).toMatchObject([{ ip: null, remote_ip: null }]);
    expect(await site.rejected()).toMatchObject([{ remote_ip: null }]);
  });

  test.each(['sec-gpc', 'dnt'])(
    'a line says `private` for a visitor who sends %s',
    async (header) => {
      const site = await startApp();
      const ping = { 'content-type': 'text/ping', 'ping-from': 'https://site.example/' };
      await postClick(site, makeBody(), { [header]: '1' });
      await postClick(site, makeBody(), { [header]: '1' }, `${LOG_CTA_PATH}?via=beacon`);
      await postClick(
        site,
        'PING',
        { ...ping, [header]: '1' },
        `${LOG_CTA_PATH}?event=hero_cta_click`,
      );
      await postClick(site, makeBody());
      await postClick(site, makeBody(), { [header]: '0' });
      const lines = site.lines();
      expect(lines.map((line) => [line.via, line.private])).toEqual([
        ['fetch', true],
        ['beacon', true],
        ['ping', true],
        ['fetch', undefined],
        ['fetch', undefined],
      ]);
      expect(lines[3]).not.toHaveProperty('private');
    },
  );

  test('are the connection’s own if no proxy is trusted', async () => {
    const site = await startApp();
    await postClick(site, makeBody(), { 'x-forwarded-for': '198.51.100.77' });
    expect(site.lines()).toMatchObject([{ remote_ip: '127.0.0.1' }]);
  });

  test.each(['loopback', '1'])(
    'are those that the trusted proxy added with TRUST_PROXY=%s, not those that the visitor wrote',
    async (TRUST_PROXY) => {
      const site = await startApp({ env: { TRUST_PROXY } });
      await postClick(site, makeBody(), { 'x-forwarded-for': '6.6.6.6, 198.51.100.77' });
      expect(site.lines()).toMatchObject([{ remote_ip: '198.51.100.77' }]);
    },
  );
});

describe('the limit', () => {
  test('answers 429 with Retry-After, and sends the rate-limit headers before', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '2' } });
    const first = await postClick(site, makeBody());
    await postClick(site, makeBody());
    const third = await postClick(site, makeBody());

    expect(first.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '60',
    });
    expect(third.statusCode).toBe(429);
    expect(third.headers['retry-after']).toMatch(/^\d+$/);
    expect(third.headers['ratelimit-remaining']).toBe('0');
    expect(third.json().error.code).toBe('rate_limited');
    expect(site.lines()).toHaveLength(2);
    expect(await site.rejected()).toEqual([]);
  });

  test('counts an IPv6 /64 as one visitor, and others separately', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '1', TRUST_PROXY: '1' } });
    const statuses: number[] = [];
    for (const from of [
      '2001:db8:0:1::1',
      '2001:db8:0:1:ffff::2',
      '2001:db8:0:2::1',
      '192.0.2.1',
    ]) {
      statuses.push((await postClick(site, makeBody(), { 'x-forwarded-for': from })).statusCode);
    }
    expect(statuses).toEqual([200, 429, 200, 200]);
  });

  test('also counts rejected clicks, with the headers', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '2' } });
    const answers = [
      await postClick(site, makeBody({ event: 'none' })),
      await postClick(site, '{"event":'),
      await postClick(site, makeBody()),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 429]);
    const remaining = answers.map(({ headers }) => headers['ratelimit-remaining']);
    expect(remaining).toEqual(['1', '0', '0']);
  });

  test('is lifted by 0', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '0' } });
    expect((await postClick(site, makeBody())).headers).not.toHaveProperty('ratelimit-limit');
  });
});
