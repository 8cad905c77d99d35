/** nginx and the servers name a request alike, and no visitor can choose the name. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { startNginx } from '../helpers/cluster/nginx.ts';
import { makeBody, readLines } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startServer } from '../helpers/server/server-process.ts';

async function click(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-request-id': 'a-visitors-own-id' };
  const sent = request(url + LOG_CTA_PATH, { method: 'POST', rejectUnauthorized: false, headers });
  sent.end(JSON.stringify(makeBody()));
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

test('the ledger has nginx’s request id, and nginx’s log of failures ends with it', async () => {
  const distDir = makeDist();
  const env = { ...process.env, DIST_DIR: distDir };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], { env });
  const server = await startServer({ env: { TRUST_PROXY: 'loopback', DIST_DIR: distDir } });
  const { port } = server;
  const nginx = await startNginx({ distDir, serverPorts: [port, port, port] });
  onTestFinished(() => nginx.remove());
  expect(await click(nginx.url)).toBe(200);
  const [line] = readLines(server.ledger);
  expect(line?.req_id).toMatch(/^[0-9a-f]{32}$/);
  await server.stop('SIGTERM');
  expect(await click(nginx.url)).toBe(503);
  await expect
    .poll(() => nginx.logs()['site-failures.log'])
    .toMatch(/ 503 POST \S.* [0-9a-f]{32}\n$/);
  expect(nginx.logs()['site-failures.log']).not.toContain(line?.req_id);
});
