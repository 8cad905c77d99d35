/** POST /k/e/: what a page sends becomes visits and waiting events, and nothing else passes through. */

import { createHash, randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EVENTS, VISIT_PROPERTIES } from '#contract/events.ts';
import { startPostgres } from '../../helpers/cluster/postgres.ts';
import { testWithPostgres } from '../../helpers/cluster/test-with-postgres.ts';
import { browserEvent, PAGE_URL, VISIT } from '../../helpers/fakes/browser-event.ts';
import { DATABASES, postgresEnv } from '../../helpers/server/databases.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const KEY = 'phc_test';
const PATH = '/k/e/?ip=0&ver=1.434.18&_=1';
const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const CAMPAIGN = { utm_source: 'cure-sma', utm_medium: 'email', utm_campaign: 'spring.2026' };
const EVENT = browserEvent();
const batchOf = (...batch: object[]) => ({ api_key: KEY, batch, sent_at: 'now' });
const pageview = (properties: object = {}) => ({
  ...browserEvent(undefined, properties),
  event: '$pageview',
});
type Body = string | Buffer | object;

/** Starts the app, and no sender. */
async function start(options: Parameters<typeof startApp>[0] = {}) {
  const site = await startApp(options);
  const post = (body: Body, headers: Record<string, string> = {}, url = PATH) =>
    site.app.inject({
      ...{ method: 'POST', url },
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  /** The waiting events, the oldest first. */
  const waiting = async () => {
    const rows = await site.rows('SELECT event FROM posthog_outbox ORDER BY queued_at, uuid');
    return rows.map(({ event }) => JSON.parse(String(event)));
  };
  return { ...site, post, waiting, visits: () => site.rows('SELECT * FROM visits') };
}

describe.each(DATABASES)('$name', ({ name, makeEnv }) => {
  const open = async (options: Parameters<typeof startApp>[0] = {}) =>
    start({ ...options, env: { ...(await makeEnv()), ...options.env } });

  const VIEW = pageview({
    campaign: CAMPAIGN,
    referring_domain: 'www.google.com',
    screen_class: 'small',
    $current_url: `${PAGE_URL}help/`,
  });
  const ROW = {
    id: createHash('sha256').update(VIEW.uuid).digest('hex'),
    ...{ viewed_at: expect.any(Number), page: '/help/', referrer: 'clinic-7' },
    ...{ ...CAMPAIGN, utm_content: null, utm_term: null },
    ...{ referring_class: 'search', screen_class: 'small', is_bot: name === 'SQLite' ? 0 : false },
  };

  test('a page view is one anonymous row, and an event for PostHog; its repetition is the same', async () => {
    const { post, visits, waiting } = await open();
    await Promise.all([post(batchOf(VIEW)), post(batchOf(VIEW)), post(VIEW)]);
    expect((await post(batchOf(VIEW, EVENT))).json()).toEqual({ status: 'Ok' });
    expect(await visits()).toEqual([ROW]);
    expect(JSON.stringify(await visits())).not.toContain(VISIT);
    expect((await waiting()).map(({ uuid }) => uuid)).toEqual([VIEW.uuid, EVENT.uuid]);
  });

  test('without a PostHog the page view is a row, and nothing waits', async () => {
    const { post, visits, waiting } = await open({ site: { posthogKey: null } });
    const { token: _, ...properties } = VIEW.properties as Record<string, unknown>;
    expect((await post({ ...VIEW, properties })).json()).toEqual({ status: 'Ok' });
    expect((await post(batchOf(EVENT))).json()).toEqual({ status: 'Ok' });
    expect(await visits()).toEqual([ROW]);
    expect(await waiting()).toEqual([]);
  });

  test('a robot’s page view is marked, and does not reach PostHog', async () => {
    const { post, visits, waiting } = await open();
    expect((await post(batchOf(VIEW, EVENT), { 'user-agent': ROBOT })).statusCode).toBe(200);
    expect(await visits()).toEqual([{ ...ROW, is_bot: name === 'SQLite' ? 1 : true }]);
    expect(await waiting()).toEqual([]);
  });

  test('nothing is kept of a visitor who asks for privacy', async () => {
    const { post, visits, waiting } = await open();
    for (const signal of ['sec-gpc', 'dnt'])
      expect((await post(batchOf(VIEW, EVENT), { [signal]: '1' })).json()).toEqual({
        status: 'Ok',
      });
    expect([await visits(), await waiting()]).toEqual([[], []]);
  });

  test('texts that a database cannot hold lose their odd characters', async () => {
    const { post, visits, waiting } = await open();
    const odd = pageview({ referrer: 'a\u0000b\ud800' });
    expect((await post(batchOf(odd))).statusCode).toBe(200);
    expect(await visits()).toMatchObject([{ referrer: 'ab\ufffd' }]);
    expect(await waiting()).toHaveLength(1);
  });

  test('strangers cannot fill the outbox: above its bound events get 503, one address has a fifth', async () => {
    const env = { TRUST_PROXY: '1' };
    const { post, visits, waiting, app, rows } = await open({ env, maxWaiting: 10 });
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` });
    const events = (count: number) => Array.from({ length: count }, () => browserEvent());
    expect((await post(batchOf(...events(2)), from(1))).statusCode).toBe(200);
    const refused = await post(batchOf(pageview()), from(1));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
    expect(await visits()).toHaveLength(1);
    for (const n of [2, 3, 4, 5])
      expect((await post(batchOf(...events(2)), from(n))).statusCode).toBe(200);
    expect((await post(batchOf(EVENT), from(6))).statusCode).toBe(503);
    expect(await waiting()).toHaveLength(10);
    const click = { id: randomUUIDv7(), event: 'hero_cta_click' };
    const payload = makeBody(click);
    expect((await app.inject({ method: 'POST', url: '/api/log-cta', payload })).statusCode).toBe(
      200,
    );
    expect(await rows('SELECT uuid FROM posthog_outbox WHERE event IS NULL')).toHaveLength(1);
  });

  test('once PostHog has taken them, there is room again', async () => {
    const options = { env: await makeEnv(), maxWaiting: 5 };
    const { app, capture } = await startPosthogSite(options);
    const post = () =>
      app.inject({ method: 'POST', url: '/k/e/', payload: batchOf(browserEvent()) });
    expect((await post()).statusCode).toBe(200);
    await expect.poll(() => capture.merged().length).toBe(1);
    await expect.poll(async () => (await post()).statusCode).toBe(200);
  });
});

testWithPostgres('while the database is away the answer is 503', async () => {
  const postgres = await startPostgres();
  onTestFinished(postgres.remove);
  const { post, visits } = await start({ env: postgresEnv(await postgres.createDatabase()) });
  expect((await post(batchOf(pageview()))).statusCode).toBe(200);
  await postgres.stop();
  expect((await post(batchOf(pageview()))).statusCode).toBe(503);
  await postgres.restart();
  await expect.poll(async () => (await post(batchOf(pageview()))).statusCode).toBe(200);
  expect(await visits()).toHaveLength(2);
});

describe('events are taken', () => {
  const text = JSON.stringify(batchOf(EVENT));
  const form = `data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`;
  const bare = browserEvent(undefined, { token: undefined });
  const cases: [as: string, type: string, body: Body, url?: string][] = [
    ['JSON', 'application/json', text],
    ['gzip', 'text/plain', gzipSync(text)],
    ['a beacon’s form', 'application/x-www-form-urlencoded', form],
    ['a single event', 'application/json', { ...EVENT, sent_at: 'now' }],
    ['a list', 'application/json', [EVENT]],
    ['an envelope with the key’s other name', 'application/json', { token: KEY, batch: [bare] }],
    ['an event whose key is in the address', 'application/json', bare, `/k/e/?token=${KEY}`],
  ];
  test.each(cases)('as %s', async (_as, type, body, url = PATH) => {
    const { post, waiting } = await start();
    const answer = await post(body, { 'content-type': type, cookie: 'a=b' }, url);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'Ok' }]);
    expect(await waiting()).toMatchObject([
      { event: 'video_played', distinct_id: VISIT, timestamp: EVENT.timestamp },
    ]);
  });

  test('100 at once, but the page’s own cta_click is left out, because the click’s row is it', async () => {
    const { post, waiting } = await start();
    const click = { ...browserEvent(), event: 'cta_click' };
    const others = Array.from({ length: 99 }, () => browserEvent());
    expect((await post(batchOf(click, ...others))).statusCode).toBe(200);
    const uuids = (await waiting()).map(({ uuid }) => uuid);
    expect(uuids.sort()).toEqual(others.map(({ uuid }) => uuid).sort());
    expect((await post(batchOf(click))).json()).toEqual({ status: 'Ok' });
  });
});

describe('a waiting event', () => {
  const complete = async (event: object, options: Parameters<typeof startApp>[0] = {}) => {
    const { post, waiting } = await start(options);
    expect((await post(batchOf(event))).statusCode).toBe(200);
    return (await waiting())[0];
  };

  test('has exactly the properties of the plan, also if the browser sends none or others', async () => {
    const { post, waiting } = await start();
    const { cta_click: _, ...others } = EVENTS;
    const bare = { visit_id: VISIT };
    for (const given of [bare, { ...EVENT.properties, gclid: 'x', $ip: '198.51.100.7' }])
      for (const event of Object.keys(others))
        await post(batchOf({ ...browserEvent(), event, properties: given }));
    const events = await waiting();
    expect(events).toHaveLength(14);
    for (const { event, properties } of events) {
      const { properties: own } = EVENTS[event as keyof typeof EVENTS];
      expect(Object.keys(properties).sort()).toEqual(
        Object.keys({ ...VISIT_PROPERTIES, ...own }).sort(),
      );
      expect(properties).toMatchObject({ $ip: '192.0.2.0', $geoip_disable: true });
    }
  });

  const vital = (parts: object) => ({ ...browserEvent(undefined, parts), event: 'web_vital' });
  test.each([
    ['a campaign’s value with a space', { campaign: { utm_source: 'ana example' } }],
    ['a campaign’s value that is an address', { campaign: { utm_source: 'ana@example.org' } }],
    ['a campaign’s value that is too long', { campaign: { utm_source: 'x'.repeat(65) } }],
    ['a campaign that is a list', { campaign: ['ana-example'] }],
    ['an unknown screen', { screen_class: 'huge' }],
    ['an unknown vital', { name: 'FID', value: 'slow', rating: 'fine' }],
    ['a page that is a script', { $current_url: 'javascript:alert(1)' }],
    ['a page that is no text', { $current_url: { toString: 'ana-example' } }],
    ['a referrer that is an object', { referrer: { a: 'ana-example' } }],
  ])('has no %s', async (_what, wrong) => {
    const made = await complete(vital(wrong));
    for (const value of Object.values(wrong)) {
      const given = typeof value === 'string' ? value : JSON.stringify(value).slice(2, -2);
      expect(JSON.stringify(made.properties)).not.toContain(given);
    }
  });

  // PostHog takes `$direct` and hosts for its channels, and every other text for a host that refers.
  test.each([
    ['class', '', '$direct', 'direct'],
    ['class', 'www.site.example', '$direct', 'direct'],
    ['class', 'www.google.co.uk', null, 'search'],
    ['class', 'mail.google.com', null, 'other'],
    ['class', 'l.facebook.com', null, 'social'],
    ['class', 'com.reddit.frontpage', null, 'social'],
    ['class', 'my.portal.example', null, 'partner'],
    ['class', 'clinic.example:8443', null, 'other'],
    ['class', 'google.com.evil.example', null, 'other'],
    ['class', undefined, null, null],
    ['domain', '', '$direct', 'direct'],
    ['domain', 'www.google.com', 'www.google.com', null],
    ['none', '', null, null],
    ['none', 'www.google.com', null, null],
  ] as const)(
    'referrerDetail=%s: from %j it has the domain %j and the class %j',
    async (referrerDetail, host, domain, kind) => {
      const { properties } = await complete(browserEvent(undefined, { referring_domain: host }), {
        site: { referrerDetail },
      });
      expect(properties).toMatchObject({ $referring_domain: domain, referring_class: kind });
    },
  );
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const text = (value: object) => JSON.stringify(value);
const tooMuch = text({ ...EVENT, a: 'x'.repeat(129 * 1024) });

test.each([
  ['nothing', '', 'malformed_json', 400],
  ['no JSON', '{', 'malformed_json', 400],
  ['a form without JSON', 'data=xx', 'malformed_json', 400],
  ['no gzip', Buffer.from([0x1f, 0x8b, 0]), 'malformed_gzip', 400],
  ['a number', '7', 'malformed_events', 400],
  ['lists within lists', nested(60_000), 'malformed_events', 400],
  ['an empty list', '[]', 'malformed_events', 400],
  ['a batch of nothing', '{"batch":[null]}', 'malformed_events', 400],
  [
    'an event that is not in the plan',
    text({ ...EVENT, event: '$autocapture' }),
    'unknown_event',
    400,
  ],
  ['an event of every object', text({ ...EVENT, event: 'toString' }), 'unknown_event', 400],
  ['an event without a name', text({ ...EVENT, event: '' }), 'malformed_events', 400],
  [
    'an event with an endless id',
    text({ ...EVENT, uuid: 'u'.repeat(99) }),
    'malformed_events',
    400,
  ],
  ['an event without a time', text({ ...EVENT, timestamp: 'now' }), 'malformed_events', 400],
  ['an event without a visit', text({ ...EVENT, properties: {} }), 'malformed_events', 400],
  ['properties that are none', text({ ...EVENT, properties: [1] }), 'malformed_events', 400],
  ['too many events', text(batchOf(...Array(101).fill(EVENT))), 'malformed_events', 400],
  ['too much JSON', tooMuch, 'too_large', 413],
  ['too much gzip', gzipSync(tooMuch), 'too_large', 413],
  ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'too_large', 413],
])('%s is refused with a reason', async (_what, body, code, status) => {
  const { post, waiting } = await start();
  const answer = await post(body, { 'content-type': 'text/plain' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  expect(answer.json().error.message).toMatch(/^[A-Z].*\.$/);
  expect(await waiting()).toEqual([]);
});

test('events for another project are refused, wherever they name it', async () => {
  const { post, waiting } = await start();
  const foreign = 'phc_foreign';
  const places: [body: object, query?: string][] = [
    [{ ...batchOf(EVENT), api_key: foreign }],
    [{ ...batchOf(EVENT), token: foreign }],
    [batchOf(EVENT, { ...browserEvent(), token: foreign })],
    [[{ ...EVENT, $token: foreign }]],
    [browserEvent(undefined, { token: foreign })],
    [batchOf(EVENT), `?api_key=${foreign}`],
    [{ ...batchOf(EVENT), api_key: [KEY] }],
    [{ batch: [browserEvent(undefined, { token: undefined })] }],
  ];
  for (const [body, query = ''] of places) {
    const answer = await post(body, {}, `/k/e/${query}`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'wrong_project']);
  }
  expect(await waiting()).toEqual([]);
});

test('another site’s page cannot send events in a visitor’s name', async () => {
  const { post, waiting } = await start();
  const answer = await post(batchOf(EVENT), { 'sec-fetch-site': 'cross-site' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site']);
  expect(await waiting()).toEqual([]);
});

test('over its rate limit the route answers 503, which posthog-js repeats', async () => {
  // Twice as many as clicks.
  const { post } = await start({ env: { RATE_LIMIT: '1' } });
  for (const expected of [200, 200, 503])
    expect((await post(batchOf(browserEvent()))).statusCode).toBe(expected);
  const refused = await post(batchOf(EVENT));
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json().error.code).toBe('unavailable');
});

test('bodies that do not arrive block 100 requests, and nothing else', async () => {
  const { app, post } = await start();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  // Each address has room for 20.
  const sockets = Array.from({ length: 101 }, (_, i) => {
    const localAddress = `127.0.0.${2 + (i % 6)}`;
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    socket.on('error', () => {});
    socket.write(`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{`);
    return socket;
  });
  // The server answers the next request without its body.
  const [answer] = await Promise.race(sockets.map((socket) => once(socket, 'data')));
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 /);
  expect((await post(batchOf(EVENT))).statusCode).toBe(503);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  for (const socket of sockets) socket.destroy();
  const isTaken = async () => (await post(batchOf(EVENT))).statusCode;
  await expect.poll(isTaken, { timeout: 30_000 }).toBe(200);
});

test('the proxy has one path', async () => {
  const { app } = await start();
  for (const url of ['/k/', '/k/flags/', '/k/array/phc_x/config.js', '/k/e']) {
    const answer = await app.inject({ method: 'POST', url, payload: '{}' });
    expect([url, answer.statusCode]).toEqual([url, 404]);
  }
});
