import { describe, expect, test } from 'vitest';
import { redactAddresses, redactBody } from '../../../server/clicks/redact-addresses.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const FOUR = '203.0.113.77';
const SIX = '2001:db8:1:2:3:4:5:6';

describe('refused-DATE.jsonl', () => {
  /** Rejected for the event, or because it is not JSON. */
  const BODIES: [name: string, body: unknown][] = [
    ['the field ip', makeBody({ event: 'x', ip: FOUR })],
    ['the field ip, IPv6', makeBody({ event: 'x', ip: SIX })],
    [
      'the page’s address',
      makeBody({ event: 'x', ip: null, page_url: `https://${FOUR}/?a=${SIX}` }),
    ],
    ['escapes', `{"event":"x","ip":"${FOUR.replaceAll('.', '\\u002e')}"}`],
    ['a nested field', { event: 'x', more: [{ ip: FOUR }, { from: `via ${SIX}` }] }],
    ['half a body', `{"event":"hero_cta_click","ip":"${FOUR}","more":"${SIX}`],
    [
      'half a body, encoded',
      `{"ip":"${encodeURIComponent(SIX)}","b":"${FOUR.replaceAll('.', '%2E')}`,
    ],
    ['text', `from ${FOUR}, [${SIX}]:443`],
  ];
  /** Without the time of receipt, whose digits can look like parts of an address. */
  const all = (lines: object[]) =>
    decodeURIComponent(JSON.stringify(lines.map((line) => ({ ...line, received_at: null }))));

  test.each(BODIES)('has no address in %s with `logIp` none', async (_name, body) => {
    const site = await startApp({ site: { logIp: 'none' } });
    await postClick(site, body, {}, `/api/log-cta?ip=${FOUR}&six=${encodeURIComponent(SIX)}`);
    const text = all(site.refused());
    expect(text).toContain('[address]');
    for (const part of ['203.0', '113', '77', 'db8', '3:4']) expect(text).not.toContain(part);
  });

  test.each(BODIES)('has no whole address in %s with `logIp` truncated', async (_name, body) => {
    const site = await startApp({ site: { logIp: 'truncated' } });
    await postClick(site, body, {}, `/api/log-cta?ip=${FOUR}&six=${encodeURIComponent(SIX)}`);
    const text = all(site.refused());
    for (const whole of [FOUR, SIX, '5:6']) expect(text).not.toContain(whole);
  });

  test('keeps the network with `logIp` truncated', async () => {
    const site = await startApp({ site: { logIp: 'truncated' } });
    const body = makeBody({ event: 'x', ip: SIX, user_agent: FOUR });
    await postClick(site, body);
    const [refused] = site.refused();
    expect(JSON.parse(String(refused?.body))).toEqual({
      ...body,
      ip: '2001:db8:1::',
      user_agent: '203.0.113.0',
    });
  });

  test.each(['sec-gpc', 'dnt'])('has no address for a visitor who sends %s', async (header) => {
    const site = await startApp({ site: { logIp: 'full' } });
    await postClick(site, makeBody({ event: 'x', ip: FOUR }), { [header]: '1' });
    expect(all(site.refused())).not.toContain(FOUR);
  });

  test('keeps the body unchanged with `logIp` full', async () => {
    const site = await startApp();
    await postClick(site, ` {"event": "x", "ip": "${FOUR}"}`);
    expect(site.refused()).toMatchObject([{ body: ` {"event": "x", "ip": "${FOUR}"}` }]);
  });
});

test.each([
  'at 09:30:00, on 2026-01-31T09:30:00.000Z',
  'Firefox/139.0 and 1.2.3',
  'https://site.example:8080/a:b',
])('%s has no address', (text) => {
  expect(redactAddresses(text, 'none')).toBe(text);
});

test.each(['::1', '::ffff:203.0.113.77', 'fe80::1', '1:2:3:4:5:6:7:8:9', ':2001:db8::77'])(
  '%s is removed',
  (address) => {
    expect(redactAddresses(`<${address}>`, 'none')).toBe('<[address]>');
  },
);

test.each([3405803853, 'cb00714d', '0xcb.0.113.77', true])('ip %j is removed', (ip) => {
  expect(redactBody(JSON.stringify({ ip }), 'truncated')).toBe('{"ip":"[address]"}');
});
