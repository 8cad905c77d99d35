import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import {
  LOG_CTA_PATH,
  MAX_CLICK_BODY_BYTES,
  MAX_PAGE_URL,
  MAX_REFERRER,
  MAX_USER_AGENT,
} from '#contract/limits.ts';
import { makeBody, startApp } from '../../helpers/server-app.ts';
import { anyBody } from '../../helpers/server-bodies.ts';

const ID = '019c1234-5678-7abc-8def-0123456789ab';
const OTHER_ID = '019c1234-5678-7abc-8def-0123456789ac';
const JSON_TYPE = { 'content-type': 'application/json' };

type Site = Awaited<ReturnType<typeof startApp>>;

function post(site: Site, body: unknown, headers: Record<string, string> = {}, url = LOG_CTA_PATH) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return site.app.inject({ method: 'POST', url, payload, headers: { ...JSON_TYPE, ...headers } });
}

describe('a click', () => {
  test('is one line with pino’s fields, the body’s ten and the server’s six, in the file and on standard output', async () => {
    const site = await startApp();
    const body = makeBody({ id: ID, visit_id: OTHER_ID, sent_at: '2026-01-31T09:30:01.000Z' });
    const answer = await post(site, body, { 'user-agent': 'Mozilla/5.0 Firefox/150.0' });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'logged', id: ID });
    expect(site.lines()).toEqual([
      {
        level: 30,
        time: expect.any(Number),
        pid: process.pid,
        hostname: expect.any(String),
        ...body,
        remote_ip: '127.0.0.1',
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        via: 'fetch',
        is_bot: false,
        skew_ms: expect.any(Number),
        req_id: expect.any(String),
      },
    ]);
    expect(site.mirrored()).toEqual(site.lines());
  });

  test('of a client written to the specification alone gets an id of version 7', async () => {
    const site = await startApp();
    const answer = await post(site, makeBody());
    const [line] = site.lines();

    expect(answer.json()).toEqual({ status: 'logged', id: line?.id });
    expect(line?.id).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(line).toMatchObject({ visit_id: null, sent_at: null, skew_ms: null });
  });

  test('that came before changes nothing', async () => {
    const site = await startApp();
    await post(site, makeBody({ id: ID }));
    const again = await post(site, makeBody({ id: ID.toUpperCase(), event: 'lower_cta_click' }));

    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ status: 'duplicate', id: ID });
    expect(site.lines()).toHaveLength(1);
  });

  test('sent many times at once is logged once', async () => {
    const site = await startApp();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(site, makeBody({ id: ID }))),
    );
    const statuses = answers.map((answer) => answer.json().status).sort();

    expect(statuses).toEqual([...Array(19).fill('duplicate'), 'logged']);
    expect(site.lines()).toHaveLength(1);
  });

  test('may come by beacon', async () => {
    const site = await startApp();
    await post(site, makeBody(), {}, `${LOG_CTA_PATH}?via=beacon`);
    expect(site.lines()).toMatchObject([{ via: 'beacon' }]);
  });

  test('tells of clicks that the browser had to drop', async () => {
    const site = await startApp();
    await post(site, makeBody({ dropped: 3 }));
    expect(site.lines()).toMatchObject([{ dropped: 3 }]);
  });

  test('of a robot is flagged, not dropped', async () => {
    const site = await startApp();
    await post(site, makeBody({ user_agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }));
    await post(site, makeBody(), { 'user-agent': 'curl/8.5.0' });
    await post(site, makeBody(), { 'user-agent': 'Mozilla/5.0 Firefox/150.0' });
    expect(site.lines().map((line) => line.is_bot)).toEqual([true, true, false]);
  });

  test('keeps keys that the contract does not know out of the line', async () => {
    const site = await startApp();
    await post(site, { ...makeBody(), secret: 'x', level: 60 });
    expect(site.lines()[0]).not.toHaveProperty('secret');
    expect(site.lines()[0]).toMatchObject({ level: 30 });
  });
});

describe('a ping, from a link without script', () => {
  const PING = {
    'content-type': 'text/ping',
    'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/156.0',
  };

  test('is a click whose facts are in the request', async () => {
    const site = await startApp();
    const page = 'https://site.example/?ref=clinic-7';
    const url = `${LOG_CTA_PATH}?event=lower_cta_click`;
    const answer = await post(site, 'PING', { ...PING, 'ping-from': page }, url);

    expect(answer.statusCode).toBe(200);
    const [line] = site.lines();
    expect(line).toMatchObject({
      event: 'lower_cta_click',
      referrer: 'clinic-7',
      ip: null,
      page_url: page,
      user_agent: PING['user-agent'],
      is_mobile: true,
      remote_ip: '127.0.0.1',
      via: 'ping',
    });
    expect(line?.timestamp).toBe(line?.received_at);
  });

  test('takes the referrer of its own address first', async () => {
    const site = await startApp();
    const url = `${LOG_CTA_PATH}?event=hero_cta_click&referrer=own`;
    await post(site, 'PING', { ...PING, 'ping-from': 'https://site.example/?ref=page' }, url);
    expect(site.lines()).toMatchObject([{ referrer: 'own' }]);
  });

  test('is cut to the contract’s lengths, and needs no Ping-From', async () => {
    const site = await startApp();
    const url = `${LOG_CTA_PATH}?event=hero_cta_click&referrer=${'r'.repeat(500)}`;
    const answer = await post(site, 'PING', { ...PING, 'user-agent': 'u'.repeat(3000) }, url);
    expect(answer.statusCode).toBe(200);
    const [line] = site.lines();
    expect(line?.referrer).toHaveLength(MAX_REFERRER);
    expect(line?.user_agent).toHaveLength(MAX_USER_AGENT);
    expect(line?.page_url).toMatch(/^http:\/\//);
  });

  test('without a known event is refused', async () => {
    const site = await startApp();
    const answer = await post(site, 'PING', PING);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().error.fields).toHaveProperty('event');
  });
});

describe('a malformed click', () => {
  const cases: [name: string, parts: Record<string, unknown>, field: string][] = [
    ['no event', { event: undefined }, 'event'],
    ['an unknown event', { event: 'other_click' }, 'event'],
    ['no referrer', { referrer: undefined }, 'referrer'],
    ['a long referrer', { referrer: 'r'.repeat(MAX_REFERRER + 1) }, 'referrer'],
    ['an ip that is none', { ip: '999.1.1.1' }, 'ip'],
    ['a time without milliseconds', { timestamp: '2026-01-31T09:30:00Z' }, 'timestamp'],
    ['a time elsewhere', { timestamp: '2026-01-31T09:30:00.000+01:00' }, 'timestamp'],
    ['a relative page', { page_url: '/about' }, 'page_url'],
    ['a script for a page', { page_url: 'javascript:alert(1)' }, 'page_url'],
    ['a long page', { page_url: `https://x.example/${'p'.repeat(MAX_PAGE_URL)}` }, 'page_url'],
    ['a long user agent', { user_agent: 'u'.repeat(MAX_USER_AGENT + 1) }, 'user_agent'],
    ['text for a boolean', { is_mobile: 'true' }, 'is_mobile'],
    ['an id of version 4', { id: 'b9e5b6a2-7f0f-4c3c-9f2a-0a0b0c0d0e0f' }, 'id'],
    ['a visit that is no id', { visit_id: 'me' }, 'visit_id'],
    ['a sending time that is none', { sent_at: 'now' }, 'sent_at'],
  ];
  test.each(cases)('with %s is refused by name', async (_name, parts, field) => {
    const site = await startApp();
    const answer = await post(site, makeBody(parts));
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({
      error: {
        code: 'validation_failed',
        message: 'The click is not complete or not valid.',
        fields: { [field]: expect.any(String) },
      },
    });
    expect(site.lines()).toEqual([]);
  });

  test('goes to the quarantine, with the reason', async () => {
    const site = await startApp();
    const body = makeBody({ event: 'other_click' });
    await post(site, body);
    expect(await site.refused()).toEqual([
      {
        reason: 'validation_failed',
        fields: { event: `must be one of ${CTA_EVENTS.join(', ')}` },
        body: JSON.stringify(body),
        url: LOG_CTA_PATH,
        contentType: 'application/json',
        remote_ip: '127.0.0.1',
        received_at: expect.any(String),
      },
    ]);
  });

  test.each(['{"event":', '', 'null', '[]', '"text"', '7'])(
    'such as %j is refused',
    async (body) => {
      const site = await startApp();
      const answer = await post(site, body);
      expect(answer.statusCode).toBe(400);
      expect(await site.refused()).toHaveLength(1);
    },
  );

  test('may be too large', async () => {
    const site = await startApp();
    const answer = await post(site, makeBody({ extra: 'x'.repeat(MAX_CLICK_BODY_BYTES) }));
    expect(answer.statusCode).toBe(413);
    expect(answer.json().error.code).toBe('too_large');
    expect(await site.refused()).toMatchObject([{ reason: 'too_large', body: null }]);
  });

  test.each([
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ])('may be %s', async (type) => {
    const site = await startApp();
    const answer = await post(site, makeBody(), { 'content-type': type });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().error.code).toBe('unsupported_media_type');
  });
});

describe('addresses', () => {
  const SIX = '2001:db8:1:2:3:4:5:6';
  const cases: [policy: string, ip: string, remote: string][] = [
    ['full', SIX, '198.51.100.77'],
    ['truncated', '2001:db8:1::', '198.51.100.0'],
  ];
  test.each(cases)('stand in the line as LOG_IP=%s says', async (policy, ip, remote) => {
    const site = await startApp({ env: { LOG_IP: policy, TRUST_PROXY: '1' } });
    await post(site, makeBody({ ip: SIX }), { 'x-forwarded-for': '198.51.100.77' });
    expect(site.lines()).toMatchObject([{ ip, remote_ip: remote }]);
  });

  test('do not stand there with LOG_IP=none', async () => {
    const site = await startApp({ env: { LOG_IP: 'none' } });
    await post(site, makeBody());
    expect(site.lines()).toMatchObject([{ ip: null, remote_ip: null }]);
  });

  test.each(['sec-gpc', 'dnt'])('do not stand there for a visitor who sends %s', async (header) => {
    const site = await startApp();
    await post(site, makeBody(), { [header]: '1' });
    await post(site, makeBody({ event: 'none' }), { [header]: '1' });
    expect(site.lines()).toMatchObject([{ ip: null, remote_ip: null }]);
    expect(await site.refused()).toMatchObject([{ remote_ip: null }]);
  });

  test('are the socket’s own when no proxy is trusted', async () => {
    const site = await startApp();
    await post(site, makeBody(), { 'x-forwarded-for': '198.51.100.77' });
    expect(site.lines()).toMatchObject([{ remote_ip: '127.0.0.1' }]);
  });

  test('come from the trusted proxy’s side, not from what the visitor wrote before it', async () => {
    const site = await startApp({ env: { TRUST_PROXY: 'loopback' } });
    await post(site, makeBody(), { 'x-forwarded-for': '6.6.6.6, 198.51.100.77' });
    expect(site.lines()).toMatchObject([{ remote_ip: '198.51.100.77' }]);
  });
});

describe('the limit', () => {
  test('answers 429 with when to come again, and says so before', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '2' } });
    const first = await post(site, makeBody());
    await post(site, makeBody());
    const third = await post(site, makeBody());

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
    expect(await site.refused()).toEqual([]);
  });

  test('counts an IPv6 /64 as one visitor, and others apart', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '1', TRUST_PROXY: '1' } });
    const statuses: number[] = [];
    for (const from of [
      '2001:db8:0:1::1',
      '2001:db8:0:1:ffff::2',
      '2001:db8:0:2::1',
      '192.0.2.1',
    ]) {
      statuses.push((await post(site, makeBody(), { 'x-forwarded-for': from })).statusCode);
    }
    expect(statuses).toEqual([200, 429, 200, 200]);
  });

  test('is lifted by 0', async () => {
    const site = await startApp({ env: { RATE_LIMIT_CLICKS: '0' } });
    expect((await post(site, makeBody())).headers).not.toHaveProperty('ratelimit-limit');
  });
});

describe('a page of another site', () => {
  test('cannot send clicks', async () => {
    const site = await startApp();
    const answer = await post(site, makeBody(), { 'sec-fetch-site': 'cross-site' });
    expect(answer.statusCode).toBe(403);
    expect(site.lines()).toEqual([]);
  });

  test.each(['same-origin', 'same-site', 'none'])('is not what %s says', async (value) => {
    const site = await startApp();
    const headers = { 'sec-fetch-site': value, origin: 'https://behind-a-proxy.example' };
    expect((await post(site, makeBody(), headers)).statusCode).toBe(200);
  });
});

test('a thousand generated bodies never cause a 5xx or a malformed line', async () => {
  const site = await startApp({ env: { RATE_LIMIT_CLICKS: '0' } });
  const answers = await Promise.all(
    fc.sample(anyBody, 1000).map(async (body) => {
      const answer = await post(site, body);
      return { body, status: answer.statusCode, answer: answer.json() };
    }),
  );
  const wrong = answers.filter(({ status, answer }) => status !== 200 && !answer.error?.code);
  expect(wrong).toEqual([]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const logged = answers.filter(({ status }) => status === 200);
  expect(logged.length).toBeGreaterThan(100);
  expect(site.lines()).toHaveLength(logged.length);
}, 60_000);
