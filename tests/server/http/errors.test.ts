import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startApp } from '../../helpers/server/server-app.ts';

const FAULTY = { firstName: 'A', lastName: 'Silva', email: 'ana@example.org', agreedToTerms: true };

async function register(headers: Record<string, string>) {
  const { app } = await startApp();
  return app.inject({ method: 'POST', url: '/api/register', payload: FAULTY, headers });
}

describe('an error', () => {
  test('is one sentence for a client that accepts text', async () => {
    const answer = await register({ accept: 'application/json, text/plain' });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'error-code': 'validation_failed',
    });
    expect(answer.body).toBe('First name must be at least 2 characters');
  });

  test('says what to do if no field is invalid', async () => {
    const { app } = await startApp();
    const answer = await app.inject({ url: '/api/no-such', headers: { accept: 'text/plain' } });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe('There is no GET at this path.');
    expect(answer.headers['error-code']).toBe('not_found');
  });

  test.each(['*/*', 'application/json', 'text/plain;q=0, application/json'])(
    'is JSON for a client that accepts %s',
    async (accept) => {
      const answer = await register({ accept });
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json()).toEqual({
        error: {
          code: 'validation_failed',
          message: 'Please check the marked fields.',
          fields: { firstName: 'First name must be at least 2 characters' },
        },
      });
    },
  );
});

test('with LOG_LEVEL=debug the log has the route of a refused request, and nothing of its path', async () => {
  const { app, logged } = await startApp({ env: { LOG_LEVEL: 'debug' } });
  for (const url of ['/api/secret/MRN-12345', '/MRN-12345/%zz', '/%00MRN-12345'])
    await app.inject(url);
  expect(logged().length).toBeGreaterThan(0);
  expect(JSON.stringify(logged())).not.toContain('MRN-12345');
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
