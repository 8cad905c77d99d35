/** Refused requests. */
import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import type { RouteShorthandOptions } from 'fastify';
import { expect, test } from 'vitest';
import { readJsonBodies } from '../../../server/http/json-body.ts';
import { refuseForeignOrigin } from '../../../server/http/security.ts';
import { startApp } from '../../helpers/server/server-app.ts';

const FAULTY = { firstName: 'A', lastName: 'Silva', email: 'ana@example.org', agreedToTerms: true };

async function register(headers: Record<string, string>) {
  const { app } = await startApp();
  return app.inject({ method: 'POST', url: '/api/register', payload: FAULTY, headers });
}

test('an error is one sentence for a client that accepts text, and otherwise JSON', async () => {
  const text = await register({ accept: 'application/json, text/plain' });
  expect([text.statusCode, text.body]).toEqual([400, 'First name must be at least 2 characters']);
  expect(text.headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'error-code': 'validation_failed',
  });
  const { app } = await startApp();
  const unknown = await app.inject({ url: '/api/no-such', headers: { accept: 'text/plain' } });
  expect([unknown.statusCode, unknown.body]).toEqual([404, 'There is no GET at this path.']);
  expect(unknown.headers['error-code']).toBe('not_found');
  for (const accept of ['*/*', 'application/json', 'text/plain;q=0, application/json']) {
    const answer = await register({ accept });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json().error).toEqual({
      ...{ code: 'validation_failed', message: 'Please check the marked fields.' },
      fields: { firstName: 'First name must be at least 2 characters' },
    });
  }
});

/** Sends bytes to the real server, because an HTTP client would change them. @returns its whole answer */
async function sendBytes(head: string): Promise<string> {
  const { app } = await startApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return readText(socket);
}

test('a request with a whole address stays at this site', async () => {
  const answer = await sendBytes('GET http://stranger.example/help?ref=x HTTP/1.1');
  expect(answer).toMatch(/^HTTP\/1\.1 301 /);
  expect(answer).toMatch(/^location: \/help\/\?ref=x\r$/im);
});

test('a request for two hosts, and bytes that are not HTTP, are refused', async () => {
  const two = await sendBytes('GET / HTTP/1.1\r\nHost: stranger.example');
  expect(two).toMatch(/^HTTP\/1\.1 400 [\s\S]*"Send one Host header\."/);
  expect(await sendBytes('\0\0')).toMatch(/^HTTP\/1\.1 400 /);
});

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
  const host = 'site.example';
  expect((await send({ host, origin: 'https://site.example' })).statusCode).toBe(200);
  const foreign = { host, origin: 'https://site.example.evil.example' };
  expect((await send(foreign)).statusCode).toBe(403);
});
