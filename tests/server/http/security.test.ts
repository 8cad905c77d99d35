/** Which requests of other sites' pages are refused, and which Host headers. */
import { type AddressInfo, connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ADMIN_PASSWORD } from '../../helpers/server/scrape.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

const HOST = 'site.example';
const OWN = `https://${HOST}`;
const ORIGINS = [
  undefined,
  OWN,
  'null',
  '',
  'no address',
  'https://other.example',
  `${OWN}.other.example`,
  `${OWN}:8443`,
  `https://other.example/${HOST}`,
];
const SITES = [
  undefined,
  'same-origin',
  'none',
  'same-site',
  'cross-site',
  '',
  'Cross-Site',
  'later-value',
];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
/** Without the password, and with faults, so that nothing is stored. */
const FORMS = [
  { url: '/api/register', payload: '{}', headers: { 'content-type': 'application/json' }, ok: 400 },
  { url: '/report', payload: 'form=note', headers: FORM, ok: 401 },
];
/** Browsers repeat neither, so only what a browser itself calls cross-site is refused. */
const COLLECTED = [
  { url: '/api/log-cta', payload: JSON.stringify(makeBody()), ok: 200 },
  { url: '/k/e/', payload: '{}', ok: 400 },
];

test('forms come from pages of this site only, and of clicks and events only those that a browser calls cross-site are refused', async () => {
  const { app } = await startApp({ env: { ADMIN_PASSWORD, RATE_LIMIT: '0' } });
  for (const site of SITES)
    for (const origin of ORIGINS) {
      const from = {
        host: HOST,
        ...(site !== undefined && { 'sec-fetch-site': site }),
        ...(origin !== undefined && { origin }),
      };
      const isOwn =
        site === undefined
          ? origin === undefined || origin === OWN
          : site === 'same-origin' || site === 'none';
      const ask = async (url: string, payload: string, headers: object) =>
        (await app.inject({ method: 'POST', url, payload, headers: { ...headers, ...from } }))
          .statusCode;
      const what = JSON.stringify(from);
      for (const { url, payload, headers, ok } of FORMS)
        expect(await ask(url, payload, headers), url + what).toBe(isOwn ? ok : 403);
      const json = { 'content-type': 'application/json' };
      for (const { url, payload, ok } of COLLECTED)
        expect(await ask(url, payload, json), url + what).toBe(site === 'cross-site' ? 403 : ok);
    }
});

test('no page of another site may read an answer', async () => {
  const { app } = await startApp({ env: { ADMIN_PASSWORD } });
  const headers = { host: HOST, origin: 'https://other.example' };
  for (const url of ['/', '/api/stats', '/healthz', '/report', '/none', '/r/clinic-7'])
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url, headers });
      expect(answer.headers, url).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers, url).toHaveProperty('cross-origin-resource-policy', 'same-origin');
    }
});

test('a request has one Host header, with a name or an address', async () => {
  const { app } = await startApp();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const statusOf = async (start: string, headers: string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.end([start, ...headers, 'Connection: close', '', ''].join('\r\n'));
    return Number((await readText(socket)).split(' ')[1]);
  };
  const cases: [status: number, headers: string[]][] = [
    [200, ['Host: site.example']],
    [200, ['Host: Site.example:8080', 'X-Forwarded-Host: a', 'Hostx: b', 'Cost: c']],
    [200, ['Host: server_1:3000']],
    [200, ['Host: 192.0.2.1']],
    [200, ['Host: [2001:db8::1]:3000']],
    [200, ['Host:']],
    [400, []],
    [400, ['Host: site.example', 'Host: other.example']],
    [400, ['Host: site.example', 'Accept: */*', 'HOST: site.example']],
    [400, ['Host:', 'host: other.example']],
    [400, ['Host: site.example other.example']],
    [400, ['Host: other.example/site.example']],
    [400, ['Host: user@other.example']],
    [400, ['Host: site.example:80:80']],
    [400, ['Host: site.example?']],
    [400, ['Host: "site.example"']],
  ];
  for (const [status, headers] of cases)
    expect(await statusOf('GET /livez HTTP/1.1', headers), headers.join()).toBe(status);
  const two = ['Host: site.example', 'Host: other.example'];
  for (const start of ['GET / HTTP/1.1', 'GET /none HTTP/1.1', 'POST /api/log-cta HTTP/1.1'])
    expect(await statusOf(start, two), start).toBe(400);
});
