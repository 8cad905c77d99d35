import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ROOM, type Room } from '../../../../server/posthog/forwarder/forward-waiting.ts';
import type { Pace } from '../../../../server/posthog/forwarder/pace.ts';
import { browserEvent } from '../../../helpers/fakes/browser-event.ts';
import type { Step } from '../../../helpers/fakes/posthog-capture/script.ts';
import { testCapture } from '../../../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../../../helpers/server/fast-pace.ts';
import { makeDataDir, startApp } from '../../../helpers/server/server-app.ts';

const KEY = 'phc_test';
const EVENT = browserEvent();
const batchOf = (...events: object[]) => ({ api_key: KEY, batch: events, sent_at: 'now' });
const PATH = '/k/e/?ip=0&ver=1.434.18&_=1';

interface Options {
  env?: Record<string, string>;
  /** Changes of the forwarder's waits. By default it looks once, before the first event. */
  pace?: Partial<Pace>;
  room?: Room;
  dataDir?: string;
}

async function startProxy(
  steps: Step[] = [],
  { env = {}, pace = {}, room = ROOM, dataDir = makeDataDir() }: Options = {},
) {
  const posthog = await testCapture();
  posthog.play(...steps);
  const site = await startApp({
    env: { POSTHOG_HOST: posthog.url, ...env },
    pace: { ...FAST_PACE, pollMs: 60_000, ...pace },
    room,
    dataDir,
  });
  const { app } = site;
  const post = (
    body: string | Buffer | object,
    headers: Record<string, string> = {},
    url = PATH,
  ) => {
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
  /** The ids of each request to PostHog. */
  const sent = () =>
    posthog.requests.map(({ body }) =>
      JSON.parse(body).batch.map(({ uuid }: { uuid: string }) => uuid),
    );
  const receipt = async (uuid: string) =>
    (await site.posthog?.receipts.find([uuid]))?.get(uuid) ?? null;
  return { ...site, post, sent, receipt, posthog };
}

describe('events go to PostHog as JSON', () => {
  const message = batchOf(EVENT);
  const text = JSON.stringify(message);
  const form = `data=${encodeURIComponent(Buffer.from(text).toString('base64'))}`;
  const cases: [form: string, type: string, body: string | Buffer][] = [
    ['JSON', 'application/json', text],
    ['gzip', 'text/plain', gzipSync(text)],
    ['a beacon’s form', 'application/x-www-form-urlencoded', form],
  ];
  test.each(cases)('when they come as %s', async (_form, type, body) => {
    const { post, sent, posthog } = await startProxy();
    const answer = await post(body, { 'content-type': type });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'Ok' });
    expect(sent()).toEqual([[EVENT.uuid]]);
    expect(posthog.requests[0]?.path).toBe('/i/v1/analytics/events');
    expect(posthog.requests[0]?.headers['content-type']).toBe('application/json');
    const { uuid, timestamp } = EVENT;
    expect(posthog.events).toMatchObject([{ uuid, timestamp, token: KEY }]);
  });

  test('also single events and lists', async () => {
    const { post, sent } = await startProxy();
    const listed = browserEvent();
    await post({ ...EVENT, sent_at: 'now' });
    await post([listed]);
    expect(sent()).toEqual([[EVENT.uuid], [listed.uuid]]);
  });

  test('without other fields of the envelope', async () => {
    const { post, sent, posthog } = await startProxy();
    await post({ ...batchOf(EVENT), historical_migration: true });
    expect(sent()).toEqual([[EVENT.uuid]]);
    expect(posthog.requests[0]?.body).not.toMatch(/historical_migration|sent_at/);
  });

  test('without cookies and credentials, with the visitor’s browser', async () => {
    const { post, posthog } = await startProxy();
    await post(batchOf(EVENT), {
      cookie: 'a=b',
      authorization: 'Basic eA==',
      'user-agent': 'Mozilla/5.0 Firefox/156.0',
    });
    expect(posthog.requests[0]?.headers).toMatchObject({
      'user-agent': 'Mozilla/5.0 Firefox/156.0',
    });
    expect(posthog.requests[0]?.headers).not.toHaveProperty('cookie');
    expect(posthog.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });
});

describe('the visitor’s address', () => {
  const FROM = { 'x-forwarded-for': '198.51.100.77' };
  const sentWith = async (env: Record<string, string>, event: object = EVENT) => {
    const { post, posthog } = await startProxy([], { env: { TRUST_PROXY: '1', ...env } });
    expect((await post(batchOf(event), FROM)).statusCode).toBe(200);
    return { headers: posthog.requests[0]?.headers, event: posthog.events[0] };
  };

  test.each([{}, { LOG_IP: 'none', POSTHOG_SEND_IP: 'on' }])(
    'does not reach PostHog with %j, nor does our own, nor a place',
    async (env) => {
      const { headers, event } = await sentWith(
        env,
        browserEvent(EVENT.uuid, { $ip: '198.51.100.77' }),
      );
      expect(headers).not.toHaveProperty('x-forwarded-for');
      expect(event?.properties).toMatchObject({ $ip: '192.0.2.0', $geoip_disable: true });
    },
  );

  test.each([
    ['full', '198.51.100.77'],
    ['truncated', '198.51.100.0'],
  ])('reaches PostHog with POSTHOG_SEND_IP=on as LOG_IP=%s says', async (policy, address) => {
    const { event } = await sentWith({ LOG_IP: policy, POSTHOG_SEND_IP: 'on' });
    expect(event?.properties).toMatchObject({ $ip: address, $geoip_disable: false });
  });
});

describe('an event that comes again', () => {
  const other = browserEvent();

  test('is not sent again', async () => {
    const { post, sent } = await startProxy();
    await post(batchOf(EVENT));
    expect((await post(batchOf(EVENT))).json()).toEqual({ status: 'Ok' });
    await post(batchOf(EVENT, other, other));
    expect(sent()).toEqual([[EVENT.uuid], [other.uuid]]);
  });

  test('while the first is on its way is sent once', async () => {
    const { post, sent } = await startProxy();
    const answers = await Promise.all([
      post(batchOf(EVENT)),
      post(batchOf(EVENT)),
      post(batchOf(EVENT)),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect(sent()).toEqual([[EVENT.uuid]]);
  });

  test('after a restart of the server is not sent again', async () => {
    const { post, sent, config, close } = await startProxy();
    await post(batchOf(EVENT));
    await close();
    const again = await startProxy([], { dataDir: config.dataDir });
    expect((await again.post(batchOf(EVENT, other))).statusCode).toBe(200);
    expect([...sent(), ...again.sent()]).toEqual([[EVENT.uuid], [other.uuid]]);
  });

  test('without the receipts is sent as before', async () => {
    const site = await startProxy();
    await site.post(batchOf(EVENT));
    const db = new DatabaseSync(site.config.files.receipts);
    db.exec('DROP TABLE receipts');
    db.close();
    for (let n = 0; n < 2; n += 1) {
      expect((await site.post(batchOf(EVENT, other))).statusCode).toBe(200);
    }
    expect(site.sent()).toEqual([[EVENT.uuid], [other.uuid]]);
    expect((await site.app.inject('/healthz')).json()).toEqual({
      status: 'degraded',
      reasons: ['The receipts of PostHog cannot be read or written.'],
    });
  });
});

describe('an event that PostHog does not take', () => {
  const failures: Step[] = [
    { status: 500 },
    { status: 429 },
    { status: 401, tag: 'invalid_api_token' },
    { status: 402, tag: 'billing_limit_exceeded' },
    { ending: 'cut' },
    { verdicts: ['retry:not_persisted'] },
    { body: '<html>' },
  ];

  test.each(failures)('because of %j is kept, and reaches it later', async (step) => {
    const { post, posthog, app } = await startProxy([step], { pace: { pollMs: 5 } });
    expect((await post(batchOf(EVENT))).json()).toEqual({ status: 'Ok' });
    expect((await post(batchOf(EVENT))).json()).toEqual({ status: 'Ok' });
    await expect.poll(() => posthog.merged().length).toBe(1);
    await expect
      .poll(async () => (await app.inject('/healthz')).json())
      .toEqual({ status: 'ready' });
    const { uuid, timestamp } = EVENT;
    expect(posthog.merged()).toMatchObject([{ uuid, timestamp }]);
  });

  test('is a 503, which posthog-js repeats, when too many wait', async () => {
    const { post, posthog, sent } = await startProxy([], { room: { events: 1, bytes: 1e6 } });
    posthog.world.isDown = true;
    expect((await post(batchOf(EVENT))).statusCode).toBe(200);
    const other = browserEvent();
    const answer = await post(batchOf(other));
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '10']);
    posthog.world.isDown = false;
    expect((await post(batchOf(other))).statusCode).toBe(200);
    expect(sent().at(-1)).toEqual([other.uuid]);
  });

  test('is a 503 when the disk is full: what is left of it is for clicks', async () => {
    const env = { MIN_FREE_MB: '10000000' };
    const { post } = await startProxy([{ status: 500 }], { env });
    expect((await post(batchOf(EVENT))).statusCode).toBe(503);
    expect((await post(batchOf(EVENT))).statusCode).toBe(200);
  });

  test('is kept without the visitor’s address', async () => {
    const env = { TRUST_PROXY: '1', POSTHOG_SEND_IP: 'on' };
    const { post, posthog } = await startProxy([{ status: 500 }], { env, pace: { pollMs: 5 } });
    await post(batchOf(EVENT), { 'x-forwarded-for': '198.51.100.77' });
    await expect.poll(() => posthog.events.length).toBe(1);
    expect(posthog.events[0]?.properties).toMatchObject({ $ip: '192.0.2.0', $geoip_disable: true });
  });

  test('does not keep the next visitors waiting for PostHog', async () => {
    const { post, posthog } = await startProxy();
    posthog.world.isDown = true;
    await post(batchOf(EVENT));
    const asked = posthog.requests.length;
    expect((await post(batchOf(browserEvent()))).statusCode).toBe(200);
    expect(posthog.requests).toHaveLength(asked);
  });
});

describe('PostHog’s verdict on each event', () => {
  const events = [EVENT, browserEvent(), browserEvent()];
  const mixed = { verdicts: ['ok', 'drop:event_too_big', 'retry:not_persisted'] };

  test('is in its receipt, and decides which events are sent again', async () => {
    const { post, sent, receipt } = await startProxy([mixed]);
    await post(batchOf(...events));
    expect(await Promise.all(events.map(({ uuid }) => receipt(uuid)))).toEqual(
      events.map(({ uuid, event }, i) => ({
        ...{ uuid, event, channel: 'browser', protocol: 'v1', attempts: 1 },
        verdict: ['ok', 'drop', 'retry'][i],
        detail: [null, 'event_too_big', 'not_persisted'][i],
        at: expect.any(String),
      })),
    );
    expect(sent()).toHaveLength(1);
  });

  test('is unknown where PostHog has only /batch/', async () => {
    const { post, posthog, receipt } = await startProxy();
    posthog.world.hasV1 = false;
    expect((await post(batchOf(EVENT))).statusCode).toBe(200);
    const { uuid, timestamp } = EVENT;
    expect(await receipt(uuid)).toMatchObject({ verdict: 'accepted', protocol: 'batch' });
    expect(posthog.merged()).toMatchObject([{ uuid, timestamp }]);
  });
});

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const text = (value: object) => JSON.stringify(value);

test.each([
  ['nothing', '', 'malformed_json', 400],
  ['no JSON', '{', 'malformed_json', 400],
  ['a form without JSON', 'data=xx', 'malformed_json', 400],
  ['no gzip', Buffer.from([0x1f, 0x8b, 0]), 'malformed_gzip', 400],
  ['a number', '7', 'malformed_events', 400],
  ['a list of numbers', '[1]', 'malformed_events', 400],
  ['an empty list', '[]', 'malformed_events', 400],
  ['a batch of nothing', '{"batch":[null]}', 'malformed_events', 400],
  [
    'an event that is not in the tracking plan',
    text({ ...EVENT, event: '$autocapture' }),
    'unknown_event',
    400,
  ],
  ['an event without a name', text({ ...EVENT, event: '' }), 'malformed_events', 400],
  [
    'an event with an endless id',
    text({ ...EVENT, uuid: 'u'.repeat(99) }),
    'malformed_events',
    400,
  ],
  ['properties that are none', text({ ...EVENT, properties: [1] }), 'malformed_events', 400],
  ['too many events', text(batchOf(...Array(101).fill(EVENT))), 'malformed_events', 400],
  ['what is nested too deeply', `{"event":"e","a":${nested(20)}}`, 'too_complex', 400],
  ['too many values', text({ ...EVENT, a: Array(10_001).fill(0) }), 'too_complex', 400],
  ['too much JSON', text({ ...EVENT, a: 'x'.repeat(257 * 1024) }), 'too_large', 413],
  ['too much gzip', gzipSync(text({ ...EVENT, a: 'x'.repeat(257 * 1024) })), 'too_large', 413],
  ['a gzip bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024)), 'too_large', 413],
])('%s is refused with a reason', async (_what, body, code, status) => {
  const { post, sent } = await startProxy();
  const answer = await post(body, { 'content-type': 'text/plain' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  expect(answer.json().error.message).toMatch(/^[A-Z].*\.$/);
  expect(sent()).toEqual([]);
});

test('100 events at once, and brackets within texts, are accepted', async () => {
  const { post, sent } = await startProxy();
  const strange = browserEvent(undefined, { a: `"\\"${'[{,'.repeat(9999)}` });
  const events = [strange, ...Array.from({ length: 99 }, () => browserEvent())];
  expect((await post(batchOf(...events))).statusCode).toBe(200);
  expect(sent()).toEqual([events.map(({ uuid }) => uuid)]);
});

describe('for another project nothing is passed on', () => {
  const foreign = 'phc_foreign';
  const bare = browserEvent(undefined, { token: undefined });
  test.each<[place: string, body: object, query?: string]>([
    ['in the envelope', { ...batchOf(EVENT), api_key: foreign }],
    ['in the envelope, by its other name', { ...batchOf(EVENT), token: foreign }],
    ['in an event', batchOf(EVENT, { ...browserEvent(), token: foreign })],
    ['in an event, by its other name', [{ ...EVENT, $token: foreign }]],
    ['in its properties', [{ ...EVENT, properties: { token: foreign } }]],
    ['in the address', batchOf(EVENT), `?api_key=${foreign}`],
    ['in the address, by its other name', batchOf(EVENT), `?token=${foreign}`],
    ['as no text', { ...batchOf(EVENT), api_key: [KEY] }],
    ['nowhere', { batch: [bare] }],
  ])('named %s', async (_place, body, query = '') => {
    const { post, sent } = await startProxy();
    const answer = await post(body, {}, `/k/e/${query}`);
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'wrong_project']);
    expect(sent()).toEqual([]);
  });

  test('while our own key is accepted in every place', async () => {
    const { post, posthog } = await startProxy();
    expect((await post({ batch: [bare] }, {}, `/k/e/?token=${KEY}`)).statusCode).toBe(200);
    const other = { ...bare, uuid: browserEvent().uuid };
    expect((await post({ token: KEY, batch: [other] })).statusCode).toBe(200);
    expect(posthog.events.map(({ token }) => token)).toEqual([KEY, KEY]);
  });
});

test('another site’s page cannot send events in a visitor’s name', async () => {
  const { post, sent } = await startProxy();
  const answer = await post(batchOf(EVENT), { 'sec-fetch-site': 'cross-site' });
  expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site']);
  expect(sent()).toEqual([]);
});

test('over RATE_LIMIT_EVENTS the answer is 503, which posthog-js repeats; other routes count separately', async () => {
  const { app, post, sent } = await startProxy([], { env: { RATE_LIMIT_EVENTS: '2' } });
  for (const expected of [200, 200, 503]) {
    expect((await post(batchOf(browserEvent()))).statusCode).toBe(expected);
  }
  const refused = await post(batchOf(EVENT));
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.json().error.code).toBe('unavailable');
  expect((await app.inject('/api/stats')).statusCode).toBe(200);
  expect(sent()).toHaveLength(2);
});

test('a PostHog that does not answer blocks 20 requests, and nothing else', async () => {
  const { promise: until, resolve: answerAll } = Promise.withResolvers<void>();
  const { app, post, sent } = await startProxy(Array(20).fill({ until }));
  const waiting = Array.from({ length: 20 }, () => post(batchOf(browserEvent())));
  await expect.poll(() => sent().length, { timeout: 30_000 }).toBe(20);
  const refused = await post(batchOf(EVENT));
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '10']);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  answerAll();
  for (const { statusCode } of await Promise.all(waiting)) expect(statusCode).toBe(200);
  expect((await post(batchOf(EVENT))).statusCode).toBe(200);
});

test('bodies that do not arrive block 100 requests, and nothing else', async () => {
  const { app, post } = await startProxy();
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

test.each(['sec-gpc', 'dnt'])('nothing is sent for a visitor who sends %s', async (header) => {
  const { post, sent } = await startProxy();
  expect((await post(batchOf(EVENT), { [header]: '1' })).json()).toEqual({ status: 'Ok' });
  expect(sent()).toEqual([]);
});

test('an event whose page is not a text is sent without a page', async () => {
  const { post, posthog } = await startProxy();
  const page = { toString: 1, valueOf: 1 };
  expect((await post(batchOf(browserEvent(EVENT.uuid, { $current_url: page })))).statusCode).toBe(
    200,
  );
  const [event] = JSON.parse(posthog.requests[0]?.body ?? '{}').batch;
  expect(event.properties.$current_url).toBe(null);
});

test('nothing is sent for a robot', async () => {
  const { post, sent } = await startProxy();
  const robot = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' };
  expect((await post(batchOf(EVENT), robot)).json()).toEqual({ status: 'Ok' });
  expect(sent()).toEqual([]);
});

test('the proxy has one path, and none if PostHog is off', async () => {
  const { app } = await startProxy();
  for (const url of ['/k/', '/k/flags/', '/k/array/phc_x/config.js', '/k/e']) {
    const answer = await app.inject({ method: 'POST', url, payload: '{}' });
    expect([url, answer.statusCode]).toEqual([url, 404]);
  }
  const off = await startApp({ site: { posthogKey: null } });
  const answer = await off.app.inject({ method: 'POST', url: '/k/e/', payload: '{}' });
  expect(answer.statusCode).toBe(404);
  expect(answer.json().error.code).toBe('not_found');
});
