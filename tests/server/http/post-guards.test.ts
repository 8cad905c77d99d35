import type { RouteShorthandOptions } from 'fastify';
import { expect, test } from 'vitest';
import { readJsonBodies } from '../../../server/http/json-body.ts';
import { refuseForeignOrigin } from '../../../server/http/security.ts';
import { startApp } from '../../helpers/server/server-app.ts';

/** Adds a route to the real app, as a feature's plugin does. */
async function addRoute(options: RouteShorthandOptions) {
  const { app } = await startApp();
  await app.register(async (api) => {
    readJsonBodies(api);
    api.post('/api/new', options, async ({ body }) => ({ body }));
  });
  return app;
}

test('a POST route without an origin check does not start, and the error says what to add', async () => {
  await expect(addRoute({})).rejects.toThrow(
    /^POST \/api\/new has no origin check\. Add .*refuseForeignOrigin/,
  );
});

test('a POST route with an origin check refuses other sites, and takes the rest', async () => {
  const app = await addRoute({ onRequest: refuseForeignOrigin });
  const send = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/api/new', payload: { a: 1 }, headers });
  expect((await send({})).json()).toEqual({ body: { a: 1 } });
  expect((await send({ host: 'site.example', origin: 'https://site.example' })).statusCode).toBe(
    200,
  );
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { host: 'site.example', origin: 'https://site.example.evil.example' },
    { origin: 'null' },
  ];
  for (const headers of foreign) expect((await send(headers)).statusCode).toBe(403);
});
