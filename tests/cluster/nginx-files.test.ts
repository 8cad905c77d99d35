/** nginx sends the site's files with the same headers as the server. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startNginx } from '../helpers/cluster/nginx.ts';
import { startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** Headers that may differ. nginx offers ranges only of uncompressed files. */
const OWN = [
  'accept-ranges',
  'connection',
  'date',
  'etag',
  'keep-alive',
  'last-modified',
  'server',
  'vary',
];
const PAGES = ['/', '/?ref=clinic-7', '/help/', '/es/', '/es/?ref=clinic-7'];
const NOT_PUBLIC = [
  ...['/index.html', '/404.html', '/.secret', '/no/such/page', '/no/such/page/', '/assets/none.js'],
  ...['/es/index.html', '/es/404.html', '/es/no/such/page', '/es/no/such/page/?x', '/essay/'],
];
const REQUESTS = ['', 'gzip', 'br, gzip'].flatMap((encoding) =>
  ['none', 'cross-site'].map((site) => ({ 'accept-encoding': encoding, 'sec-fetch-site': site })),
);

async function startSite(distDir: string, serverPort = 1) {
  const env = { ...process.env, DIST_DIR: distDir };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], { env });
  const nginx = await startNginx({ distDir, serverPorts: [serverPort, serverPort, serverPort] });
  onTestFinished(() => nginx.remove());
  return nginx;
}

async function ask(url: string, headers: Record<string, string>) {
  const sent = request(url, { rejectUnauthorized: false, headers });
  sent.end();
  const [answer] = await once(sent, 'response');
  const body = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>));
  return { status: answer.statusCode, headers: answer.headers, body };
}

/** Asks for a path as it is, because a client would correct it. */
async function askBytes(url: string, path: string) {
  const { port, hostname } = new URL(url);
  const options = { port: Number(port), host: '127.0.0.1', servername: hostname };
  const socket = connectTls({ ...options, rejectUnauthorized: false });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), headers: head.toLowerCase(), body };
}

const compared = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN.includes(name)));

async function expectSameAnswers(distDir: string): Promise<number> {
  const nginx = await startSite(distDir);
  const { app } = await startApp({
    env: { DIST_DIR: distDir, TRUST_PROXY: '1', RATE_LIMIT_OTHER: '0' },
  });
  const files = globSync('**/*.*', { cwd: join(distDir, 'client') })
    .filter((file) => !file.split('/').some((part) => part.startsWith('.')))
    .map((file) => `/${file}`);
  const paths = [...PAGES, ...files, ...NOT_PUBLIC];
  for (const path of paths) {
    for (const asked of REQUESTS) {
      const expected = await app.inject({
        url: path,
        headers: { 'x-forwarded-proto': 'https', ...asked },
      });
      const { status, headers, body } = await ask(nginx.url + path, asked);
      expect({ path, asked, status, headers: compared(headers) }).toEqual({
        ...{ path, asked, status: expected.statusCode },
        headers: compared(expected.headers),
      });
      expect(body.equals(expected.rawPayload), `${path} as ${asked['accept-encoding']}`).toBe(true);
    }
  }
  return files.length;
}

test('every file of a small site', async () => {
  expect(await expectSameAnswers(makeDist())).toBeGreaterThan(5);
});

test('every file of the built site', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'dist-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync('dist', copy, { recursive: true });
  expect(await expectSameAnswers(copy)).toBeGreaterThan(20);
});

test('a page without its slash redirects to it with the query, as from the server', async () => {
  const distDir = makeDist();
  const nginx = await startSite(distDir);
  const { app } = await startApp({ env: { DIST_DIR: distDir, TRUST_PROXY: '1' } });
  for (const path of ['/help', '/help?ref=a%20b', '/es', '/es?ref=clinic-7']) {
    const { status, headers } = await ask(nginx.url + path, {});
    const expected = await app.inject({ url: path, headers: { 'x-forwarded-proto': 'https' } });
    expect([status, headers.location]).toEqual([308, expected.headers.location]);
    expect(headers['cache-control']).toBe(expected.headers['cache-control']);
  }
});

test('an address that no page can have shows the 404 card', async () => {
  const distDir = makeDist();
  const { url } = await startSite(distDir);
  const card = readFileSync(join(distDir, 'client/404.html'), 'utf8');
  for (const path of ['/%00', '/%zz', '/%E0%A4%A', `/${'a/'.repeat(2000)}`, '//none', '/none//']) {
    const { status, body, headers } = await askBytes(url, path);
    expect([path, status, body]).toEqual([path, 404, card]);
    expect(headers).toContain('x-content-type-options: nosniff');
  }
});

test('nginx’s own answers have the headers of the servers’ answers', async () => {
  const { url } = await startSite(makeDist());
  const away = await ask(`${url}/api/stats`, {});
  expect(away.status).toBe(503);
  const large = await ask(`${url}/api/log-cta`, { 'content-length': '20000' });
  expect(large.status).toBe(413);
  for (const { headers } of [away, large])
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'strict-transport-security': 'max-age=63072000',
      'cache-control': 'no-store',
    });
});

test('plain http redirects to TLS, and TLS uses HTTP/2', async () => {
  const nginx = await startSite(makeDist());
  const plain = await fetch(`${nginx.plainUrl}/?ref=x`, { redirect: 'manual' });
  expect(plain.status).toBe(308);
  expect(plain.headers.get('location')).toBe('https://localhost/?ref=x');
  const session = connect(nginx.url, { rejectUnauthorized: false });
  onTestFinished(() => session.destroy());
  const [headers] = await once(session.request({ ':path': '/' }), 'response');
  expect(headers[':status']).toBe(200);
});

test('without a running server nginx serves the page, and answers calls with 503 and Retry-After', async () => {
  const nginx = await startSite(makeDist());
  expect((await ask(`${nginx.url}/`, {})).status).toBe(200);
  for (const path of ['/api/stats', '/k/e/', '/healthz']) {
    const { status, headers, body } = await ask(nginx.url + path, {});
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'retry-after': '5', 'content-type': 'application/json' });
    expect(JSON.parse(body.toString()).error.code).toBe('unavailable');
  }
});

test('the health of the servers is public without reasons; what supervisors ask stays inside', async () => {
  const free = statfsSync(tmpdir());
  const MIN_FREE_MB = String(Math.floor((free.bavail * free.bsize) / 3 / 1024 / 1024));
  const { url, port } = await startServer({ env: { TRUST_PROXY: 'loopback', MIN_FREE_MB } });
  const nginx = await startSite(makeDist(), port);
  const { status, body } = await ask(`${nginx.url}/healthz`, {});
  expect([status, JSON.parse(body.toString())]).toEqual([200, { status: 'degraded' }]);
  const inside = await (await fetch(`${url}/healthz`)).json();
  expect(inside.reasons).toEqual([expect.stringContaining('MIN_FREE_MB')]);
  for (const path of ['/livez', '/readyz', '/metrics'])
    expect((await ask(nginx.url + path, {})).status).toBe(404);
});

test('the stand-in for the portal comes from a server', async () => {
  const { port } = await startServer({ env: { TRUST_PROXY: 'loopback', DIST_DIR: 'dist' } });
  const { url } = await startSite(makeDist(), port);
  const { status, headers, body } = await ask(`${url}/create-account?ref=clinic-7`, {});
  expect([status, headers['x-robots-tag']]).toEqual([200, 'noindex']);
  expect(body.toString()).toContain('<b>clinic-7</b>');
});

test('a short link leads to the page through a server, and without a server too', async () => {
  const { port } = await startServer({ env: { TRUST_PROXY: 'loopback' } });
  for (const serverPort of [port, 1]) {
    const nginx = await startSite(makeDist(), serverPort);
    const locationOf = async (path: string) => {
      const { status, headers } = await ask(nginx.url + path, {});
      expect(status).toBe(302);
      expect(headers['cache-control']).toBe('no-store');
      const { origin, pathname, searchParams } = new URL(headers.location ?? '', nginx.url);
      return { page: origin + pathname, ...Object.fromEntries(searchParams) };
    };
    const page = `${nginx.url}/`;
    expect(await locationOf('/r/clinic-7?utm_source=leaflet')).toEqual({
      ...{ page, ref: 'clinic-7', utm_source: 'leaflet' },
    });
    expect(await locationOf('/es/r/clinic-7')).toEqual({ page: `${page}es/`, ref: 'clinic-7' });
    expect(await locationOf('/r/clinic.br')).toEqual({ page, ref: 'clinic.br' });
    expect(await locationOf('/r/a%26b%0D%0Ac')).toMatchObject({
      ...{ page, ref: expect.stringMatching(/^a&b/) },
    });
    expect(await locationOf('/r/%2f%2fevil.example')).toMatchObject({ page });
    expect(await locationOf('/R/clinic-7')).toEqual({ page, ref: 'clinic-7' });
    expect(await locationOf('/r')).toMatchObject({ page });
  }
});
