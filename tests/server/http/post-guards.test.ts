import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { readJsonBodies } from '../../../server/http/json-body.ts';
import { perMinute } from '../../../server/http/rate-limit/rate-limit.ts';
import { refuseForeignOrigin } from '../../../server/http/security.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const GUARDED = {
  bodyLimit: 1024,
  config: { rateLimit: perMinute(2) },
  onRequest: refuseForeignOrigin,
} satisfies RouteShorthandOptions;

/** Adds a route to the real app, as a feature's plugin does. */
async function addRoute(options: RouteShorthandOptions, readBodies = readJsonBodies) {
  const site = await startApp();
  await site.app.register(async (api) => {
    readBodies(api);
    api.post('/api/new', options, async ({ body }) => ({ body }));
  });
  return site;
}

describe('a new POST route', () => {
  const without = (name: keyof typeof GUARDED) => ({ ...GUARDED, [name]: undefined });
  const noParser = (_app: FastifyInstance) => {};
  const cases: [string, RouteShorthandOptions, typeof noParser, RegExp][] = [
    ['a body parser', GUARDED, noParser, /Add:\n- .*readJsonBodies\(app\).*$/],
    ['a body limit', without('bodyLimit'), readJsonBodies, /Add:\n- .*`bodyLimit`.*$/],
    ['an origin check', without('onRequest'), readJsonBodies, /Add:\n- .*refuseForeignOrigin.*$/],
    ['a rate limit', without('config'), readJsonBodies, /Add:\n- .*perMinute.*$/],
  ];
  test.each(cases)('without %s does not start, and the error says what to add', async (...args) => {
    const [, options, readBodies, message] = args;
    await expect(addRoute(options, readBodies)).rejects.toThrow(message);
  });

  test('that lacks all of them gets all advice at once', async () => {
    const failure = await addRoute({}, noParser).catch((error: Error) => error.message);
    expect(String(failure).split('\n- ')).toHaveLength(5);
    expect(failure).toContain('POST /api/new');
  });

  test('with all of them starts, and each of them works', async () => {
    const { app } = await addRoute(GUARDED);
    const send = (payload: string, headers = {}) =>
      app.inject({
        method: 'POST',
        url: '/api/new',
        payload,
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await send('{"a":1}')).json()).toEqual({ body: { a: 1 } });
    expect((await send('{}', { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await send(`"${'x'.repeat(1024)}"`)).statusCode).toBe(413);
    expect((await send('{}')).statusCode).toBe(429);
  });
});

test('a path without a route answers a body of any type with 404', async () => {
  const { app } = await startApp();
  for (const type of ['application/json', 'text/plain', 'image/png']) {
    const headers = { 'content-type': type };
    const answer = await app.inject({ method: 'POST', url: '/api/none', payload: '{', headers });
    expect(answer.statusCode).toBe(404);
  }
});
