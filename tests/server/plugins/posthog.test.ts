import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../helpers/server-app.ts';
import { startListener } from '../../helpers/server-listener.ts';

const EVENT = { uuid: 'u-1', event: 'cta_click', properties: { distinct_id: 'd-1' } };
const batchOf = (...events: object[]) => ({ api_key: 'phc_x', batch: events, sent_at: 'now' });
/** As PostHog gets it while POSTHOG_SEND_IP is off. */
const withheld = (event: typeof EVENT) => ({
  ...event,
  properties: { ...event.properties, $ip: '192.0.2.0', $geoip_disable: true },
});

async function startProxy(answer?: (n: number) => number | null, env: Record<string, string> = {}) {
  const posthog = await startListener(answer);
  const { app } = await startApp({ env: { POSTHOG_HOST: posthog.url, ...env } });
  const post = (body: string | Buffer | object, headers: Record<string, string> = {}) => {
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    return app.inject({
      method: 'POST',
      url: '/k/e/?ip=0&ver=1.434.18&_=1',
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
  return {
    app,
    post,
    messages: () => posthog.received.map(({ body }) => JSON.parse(body)),
    posthog,
  };
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
    const { post, messages, posthog } = await startProxy();
    const answer = await post(body, { 'content-type': type });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'Ok' });
    expect(messages()).toEqual([batchOf(withheld(EVENT))]);
    expect(posthog.received[0]?.path).toBe('/e/');
    expect(posthog.received[0]?.headers['content-type']).toBe('application/json');
  });

  test('when they come alone or in a list', async () => {
    const { post, messages } = await startProxy();
    await post(EVENT);
    await post([{ ...EVENT, uuid: 'u-2' }]);
    expect(messages()).toEqual([withheld(EVENT), [withheld({ ...EVENT, uuid: 'u-2' })]]);
  });

  test('without cookies and credentials, with the visitor’s browser', async () => {
    const { post, posthog } = await startProxy();
    await post(batchOf(EVENT), {
      cookie: 'a=b',
      authorization: 'Basic eA==',
      'user-agent': 'Firefox',
    });
    expect(posthog.received[0]?.headers).toMatchObject({ 'user-agent': 'Firefox' });
    expect(posthog.received[0]?.headers).not.toHaveProperty('cookie');
    expect(posthog.received[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('the visitor’s address', () => {
  const FROM = { 'x-forwarded-for': '198.51.100.77' };
  const sentWith = async (env: Record<string, string>, event: object = EVENT) => {
    const { post, messages, posthog } = await startProxy(undefined, { TRUST_PROXY: '1', ...env });
    expect((await post(batchOf(event), FROM)).statusCode).toBe(200);
    return { headers: posthog.received[0]?.headers, message: messages()[0] };
  };

  test.each([{}, { LOG_IP: 'none', POSTHOG_SEND_IP: 'on' }])(
    'does not reach PostHog with %j, nor does our own, nor a place',
    async (env) => {
      const forged = { ...EVENT, properties: { distinct_id: 'd-1', $ip: '198.51.100.77' } };
      const { headers, message } = await sentWith(env, forged);
      expect(headers).not.toHaveProperty('x-forwarded-for');
      expect(message).toEqual(batchOf(withheld(EVENT)));
    },
  );

  test.each([
    ['full', '198.51.100.77'],
    ['truncated', '198.51.100.0'],
  ])('reaches PostHog with POSTHOG_SEND_IP=on as LOG_IP=%s says', async (policy, address) => {
    const { headers, message } = await sentWith({ LOG_IP: policy, POSTHOG_SEND_IP: 'on' });
    expect(headers).toHaveProperty('x-forwarded-for', address);
    expect(message).toEqual(batchOf(EVENT));
  });
});

describe('an event that comes again', () => {
  const other = { ...EVENT, uuid: 'u-2' };

  test('is not sent again', async () => {
    const { post, messages } = await startProxy();
    await post(batchOf(EVENT));
    expect((await post(batchOf(EVENT))).json()).toEqual({ status: 'Ok' });
    await post(batchOf(EVENT, other, other));
    expect(messages()).toEqual([batchOf(withheld(EVENT)), batchOf(withheld(other))]);
  });

  test('while the first is on its way is sent once', async () => {
    const { post, messages } = await startProxy();
    const answers = await Promise.all([
      post(batchOf(EVENT)),
      post(batchOf(EVENT)),
      post(batchOf(EVENT)),
    ]);
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect(messages()).toEqual([batchOf(withheld(EVENT))]);
  });

  test('after a failure is sent again', async () => {
    const { post, messages } = await startProxy((n) => (n === 0 ? 500 : 200));
    const failed = await Promise.all([post(batchOf(EVENT)), post(batchOf(EVENT))]);
    expect(failed.map((answer) => answer.statusCode)).toEqual([503, 503]);
    expect((await post(batchOf(EVENT))).statusCode).toBe(200);
    expect(messages()).toHaveLength(2);
  });
});

test.each([[500], [429], [null]])(
  'PostHog’s %s is a 503, which posthog-js repeats',
  async (status) => {
    const { post } = await startProxy(() => status);
    const answer = await post(batchOf(EVENT));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('10');
  },
);

test('PostHog’s refusal is a 400, which posthog-js does not repeat', async () => {
  const { post } = await startProxy(() => 401);
  expect((await post(batchOf(EVENT))).statusCode).toBe(400);
});

test.each(['', '{', 'data=xx', '7', '[1]', '{"batch":[null]}'])('%j is refused', async (body) => {
  const { post, messages } = await startProxy();
  expect((await post(body)).statusCode).toBe(400);
  expect(messages()).toEqual([]);
});

test('a gzip bomb is refused', async () => {
  const { post } = await startProxy();
  const answer = await post(gzipSync(Buffer.alloc(64 * 1024 * 1024)), {
    'content-type': 'text/plain',
  });
  expect(answer.statusCode).toBe(400);
});

test.each(['sec-gpc', 'dnt'])('nothing is sent for a visitor who sends %s', async (header) => {
  const { post, messages } = await startProxy();
  expect((await post(batchOf(EVENT), { [header]: '1' })).json()).toEqual({ status: 'Ok' });
  expect(messages()).toEqual([]);
});

test('only that one path is there, and none where PostHog is off', async () => {
  const { app } = await startProxy();
  for (const url of ['/k/', '/k/flags/', '/k/array/phc_x/config.js', '/k/e']) {
    const answer = await app.inject({ method: 'POST', url, payload: '{}' });
    expect([url, answer.statusCode]).toEqual([url, 404]);
  }
  const off = await startApp({ site: { posthog: false } });
  const answer = await off.app.inject({ method: 'POST', url: '/k/e/', payload: '{}' });
  expect(answer.statusCode).toBe(404);
  expect(answer.json().error.code).toBe('not_found');
});
