/** nginx writes no visitor's address and no query to any log, also when requests fail. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startNginx } from '../helpers/cluster/nginx.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

/** An address that no server here has. */
const VISITOR = '127.0.0.77';
const QUERY = '?email=planted@visitor.example';

async function start() {
  const distDir = makeDist();
  const env = { ...process.env, DIST_DIR: distDir };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], { env });
  const nginx = await startNginx({ distDir, serverPorts: [1, 1, 1] });
  onTestFinished(() => nginx.remove());
  return nginx;
}

async function ask(url: string, headers: Record<string, string> = {}): Promise<number> {
  const send = url.startsWith('https') ? request : plainRequest;
  const sent = send(url, { rejectUnauthorized: false, family: 4, localAddress: VISITOR, headers });
  sent.end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

/** Resolves when nginx has closed the connection. */
async function sendRaw(port: number, text: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: VISITOR });
  socket.on('error', () => {});
  socket.end(text);
  socket.resume();
  await once(socket, 'close');
}

test('no log contains a visitor’s address or query, also when requests fail', async () => {
  const { url, plainUrl, logs } = await start();
  const [port, plainPort] = [url, plainUrl].map((at) => Number(new URL(at).port));
  expect(await ask(`${url}/api/stats${QUERY}`)).toBe(503);
  expect(await ask(`${url}/k/e/${QUERY}`, { 'content-length': `${2 ** 21}` })).toBe(413);
  expect(await ask(`${url}/${QUERY}`, { cookie: 'planted'.repeat(9000) })).toBe(400);
  expect(await ask(`${url}/none${QUERY}`)).toBe(404);
  expect(await ask(`${plainUrl}/${QUERY}`)).toBe(308);
  await sendRaw(port ?? 0, `GET /${QUERY} HTTP/1.1\r\n\r\n`);
  await sendRaw(port ?? 0, '\x16\x03\x01\x00\x05planted');
  await sendRaw(plainPort ?? 0, `PLANTED /${QUERY}\r\n\r\n`);

  // The failures' log still has the failure, for the operator.
  await expect.poll(() => logs()['site-failures.log'], { timeout: 30_000 }).toMatch(/ 503 GET /);
  const all = Object.entries(logs());
  expect(all.map(([name]) => name)).toContain('error.log');
  for (const [name, text] of all) {
    expect([name, text]).toEqual([name, expect.not.stringContaining(VISITOR)]);
    expect([name, text]).toEqual([name, expect.not.stringMatching(/planted/i)]);
  }
});
