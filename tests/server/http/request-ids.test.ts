/** Request ids: the proxy's where the proxy is trusted, and the same one in the ledger and the log. */
import { expect, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const FROM_NGINX = 'a3f1c2d4e5f60718293a4b5c6d7e8f90';
const OWN = /^[0-9a-z]{1,9}-[0-9a-z]{1,3}$/;

test.each([
  ['1', '192.0.2.1', FROM_NGINX, FROM_NGINX],
  ['loopback', '127.0.0.1', FROM_NGINX, FROM_NGINX],
  [
    '10.0.0.0/8,loopback',
    '10.1.2.3',
    '019c1234-5678-7abc-8def-0123456789ab',
    '019c1234-5678-7abc-8def-0123456789ab',
  ],
  ['loopback', '192.0.2.1', FROM_NGINX, OWN],
  ['', '127.0.0.1', FROM_NGINX, OWN],
  ['loopback', '127.0.0.1', 'x'.repeat(37), OWN],
  ['loopback', '127.0.0.1', 'short', OWN],
  ['loopback', '127.0.0.1', 'a"b\\c d,e f', OWN],
  ['loopback', '127.0.0.1', 'ana@site.example', OWN],
])('TRUST_PROXY=%s from %s, X-Request-Id %s', async (trust, remoteAddress, given, expected) => {
  const { app, lines, logged } = await startApp({
    env: { TRUST_PROXY: trust, LOG_LEVEL: 'debug', ACCESS_LOG: 'on' },
  });
  const headers = { 'x-request-id': given };
  const send = (payload: object) =>
    app.inject({ method: 'POST', url: LOG_CTA_PATH, payload, headers, remoteAddress });
  expect((await send(makeBody())).statusCode).toBe(200);
  await send({});
  const ids = [
    lines()[0]?.req_id,
    ...logged()
      .filter(({ req_id }) => req_id !== undefined)
      .map(({ req_id }) => req_id),
  ];
  // The ledger, the rejected body's line, and two of the access log.
  expect(ids).toHaveLength(4);
  for (const id of ids) expect(id).toEqual(expect.stringMatching(expected));
});
