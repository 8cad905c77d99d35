/** Refused requests. */
import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
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
      code: 'validation_failed',
      message: 'Please check the marked fields.',
      fields: { firstName: 'First name must be at least 2 characters' },
    });
  }
});

/**
 * Sends bytes to the real server, because an HTTP client would change them.
 *
 * @returns its whole answer
 */
async function sendBytes(head: string): Promise<string> {
  const { app } = await startApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(`${head}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return readText(socket);
}

test('a request with a whole address leads to no other host', async () => {
  const answer = await sendBytes('GET http://stranger.example/help?ref=x HTTP/1.1');
  expect(answer).toMatch(/^HTTP\/1\.1 404 /);
});

test('bytes that are not HTTP are refused', async () => {
  expect(await sendBytes('\0\0')).toMatch(/^HTTP\/1\.1 400 /);
});

test('a POST route without an origin check does not start, and the error says what to add', async () => {
  const { app } = await startApp();
  const add = app.register(async (api) => void api.post('/api/new', async () => ({})));
  await expect(add).rejects.toThrow(
    /^POST \/api\/new has no origin check\. Add .*refuseForeignOrigin/,
  );
});
