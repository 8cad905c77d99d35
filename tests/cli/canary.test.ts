/** `npm run canary` against the real server, and against programs that answer instead. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { request as plainRequest, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import {
  CANARY_HEADER,
  CERTIFICATE_HEADER,
  signCanary,
  signCertificate,
} from '../../server/clicks/canary.ts';
import { newId } from '../../server/database/new-id.ts';
import { freePort, startLocalServer } from '../helpers/server/local-server.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { startMetered, sumOf } from '../helpers/server/scrape.ts';
import { makeBody, makeDataDir } from '../helpers/server/server-app.ts';

const CANARY_KEY = 'k'.repeat(32);
const canary = (url: string, ...args: string[]) =>
  runCli('canary.ts', ['--url', url, ...args], { CANARY_KEY });

test('arrives on the disk and in the index, and no count includes it', async () => {
  const site = await startMetered({ env: { CANARY_KEY } });
  const began = Date.now() / 1000;
  const arrival = async () =>
    (await site.scrape()).site_canary_last_arrival_timestamp_seconds as number;
  expect(await arrival()).toBe(0);
  const sent = await canary(`${site.url}/?ref=x`);
  expect(sent).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(
      new RegExp(`^The click [\\da-f-]{36} is on the disk and in the index of ${site.url} \\(`),
    ),
  });
  expect(await arrival()).toBeGreaterThan(began - 1);
  expect(sumOf(await site.scrape(), 'site_clicks_total')).toBe(0);
  const stats = await (await fetch(`${site.url}/api/stats`)).json();
  expect(stats.clicks.total).toBe(0);

  const body = JSON.stringify(makeBody());
  const headers = { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/150.0' };
  await fetch(`${site.url}/api/log-cta`, { method: 'POST', headers, body });
  const clicks = (...args: string[]) => runCli('clicks.ts', args, { DATA_DIR: site.dataDir });
  const [id = ''] = /[\da-f-]{36}/.exec(sent.out) ?? [];
  const [report, reconciled, replay, trace, tail, verify] = await Promise.all([
    clicks('report', '--format', 'jsonl'),
    clicks('reconcile'),
    clicks('replay', '--key', 'phc_x', '--dry-run'),
    clicks('trace', id),
    clicks('tail'),
    clicks('verify'),
  ]);
  const totals = report.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ table, kind }) => `${table} ${kind}` === 'event total');
  expect(totals).toMatchObject([
    { measure: 'Clicks', value: 1 },
    { measure: 'Robots', value: 0 },
  ]);
  expect(reconciled.out).toMatch(/^ {2}robots +1$/m);
  expect(tail.out).toMatch(new RegExp(`canary +${id}`));
  expect(verify).toMatchObject({ code: 0 });
  expect(trace.out).toContain('hero_cta_click, ref -, canary');
  expect(replay.out).toContain('1 events would go to');
});

/** TLS before the site, with a certificate that is valid for so many days. */
async function startTls(site: string, days: number) {
  const notAfterDate = new Date(Date.now() + days * 86_400_000);
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], {
    notAfterDate,
  });
  const certificate = join(makeDataDir(), 'certificate.pem');
  writeFileSync(certificate, cert);
  const server = createServer({ cert, key }, (request, answer) => {
    const { method, url, headers } = request;
    const passed = plainRequest(site + url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 0, reply.headers);
      reply.pipe(answer);
    });
    request.pipe(passed);
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, certificate, endsS: notAfterDate.getTime() / 1000 };
}

test.each([
  [13, /^The certificate of localhost:\d+ ends in 12 days, on 20\d\d-\d\d-\d\d. Renew it.\n$/],
  [15, /^$/],
])('reports a certificate of %i days to the metrics, and warns below 14', async (days, warning) => {
  const site = await startMetered({ env: { CANARY_KEY } });
  const expiry = async () => (await site.scrape()).site_certificate_expiry_timestamp_seconds;
  expect(await expiry()).toBe(0);
  const tls = await startTls(site.url, days);
  const sent = await runCli('canary.ts', ['--url', tls.url], {
    ...{ CANARY_KEY, NODE_EXTRA_CA_CERTS: tls.certificate },
  });
  expect(sent).toMatchObject({ code: 0, err: expect.stringMatching(warning) });
  expect(Math.abs(Number(await expiry()) - tls.endsS)).toBeLessThan(1);
});

test('a certificate’s end without its signature changes no metric', async () => {
  const site = await startMetered({ env: { CANARY_KEY } });
  const id = newId();
  const timestamp = new Date().toISOString();
  const answer = await fetch(`${site.url}/api/log-cta`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      [CANARY_HEADER]: signCanary(CANARY_KEY, { id, timestamp }),
      [CERTIFICATE_HEADER]: signCertificate('x'.repeat(32), { id }, Date.now()),
    },
    body: JSON.stringify(makeBody({ id, timestamp })),
  });
  expect(answer.status).toBe(200);
  expect((await site.scrape()).site_certificate_expiry_timestamp_seconds).toBe(0);
});

async function fake(listener: RequestListener): Promise<string> {
  const server = await startLocalServer(listener);
  onTestFinished(server.close);
  return `http://127.0.0.1:${server.port}`;
}

test.each<[stage: string, why: string, listener: RequestListener]>([
  [
    'not on disk',
    'without the proof',
    (_, answer) => void answer.end('{"status":"logged","id":"x"}'),
  ],
  [
    'not on disk',
    'The answer is 503: The disk is full.',
    (_, answer) =>
      void answer
        .writeHead(503)
        .end('{"error":{"code":"unavailable","message":"The disk is full."}}'),
  ],
  ['HTTP status', 'The answer is 502.', (_, answer) => void answer.writeHead(502).end('<html>')],
  ['HTTP answer', 'ended before the answer', (request) => void request.socket.destroy()],
])('fails with "%s" and says "%s"', async (stage, why, listener) => {
  const { code, err } = await canary(await fake(listener));
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(`^The canary failed \\(${stage}\\)\\. .*${why}`),
  });
});

test('names the stage at which it took too long', async () => {
  const silent = await fake(() => {});
  const { code, err } = await canary(silent, '--timeout', '1');
  expect([code, err]).toEqual([1, 'The canary failed (HTTP answer). It took too long.\n']);
});

test('names a server that does not listen, and a name without an address', async () => {
  const nothing = await canary(`http://127.0.0.1:${await freePort()}`);
  expect(nothing.err).toMatch(/^The canary failed \(connection\)\. .* \(ECONNREFUSED\)\.\n$/);
  const nowhere = await canary('https://no-such-host.invalid');
  expect(nowhere.err).toMatch(/^The canary failed \(name resolution\)\. The name no-such-host/);
  expect([nothing.code, nowhere.code]).toEqual([1, 1]);
});

test('the command of the systemd unit sends it', async () => {
  const url = await fake((_, answer) => void answer.writeHead(502).end());
  const unit = readFileSync('deploy/systemd/site-canary.service', 'utf8');
  const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
  const { status, stderr } = await runUnit(command.replace('/srv/site/', './'), url);
  expect([status, stderr]).toEqual([1, 'The canary failed (HTTP status). The answer is 502.\n']);
});

/** Runs it as systemd does, which replaces the variables of EnvironmentFile. */
async function runUnit(command: string, url: string) {
  const env = { ...process.env, CANARY_KEY, CANARY_URL: url };
  const child = spawn('sh', ['-c', `exec ${command}`], { env });
  const text = Array.fromAsync(child.stderr);
  const [status] = await once(child, 'exit');
  return { status, stderr: (await text).join('') };
}

test('asks for its settings', async () => {
  const keyless = await runCli('canary.ts', ['--url', 'https://site.example'], { CANARY_KEY: '' });
  expect(keyless).toMatchObject({ code: 1, err: expect.stringContaining('CANARY_KEY is not set') });
  expect(await canary('site.example')).toMatchObject({ code: 2 });
});
