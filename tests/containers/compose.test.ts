/**
 * deploy/docker/compose.yaml as shipped: three servers, nginx, PostgreSQL and Redis in containers. On a machine that cannot pull
 * postgres:17 and redis:7, images/ has Debian's PostgreSQL 15 and Redis 7.0 with the same variables and folders.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../server/database/new-id.ts';
import { freePort } from '../helpers/server/local-server.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { startEngine } from './engine.ts';

const NAME = 'site.test';
const SERVERS = ['server1', 'server2', 'server3'];
const IMAGES = { SERVER_IMAGE: 'site-test-server', NGINX_IMAGE: 'site-test-nginx' };

async function ask(port: number, method: string, path: string, body?: object) {
  const sent = request({
    ...{
      host: '127.0.0.1',
      port,
      method,
      path,
      servername: NAME,
      rejectUnauthorized: false,
      agent: false,
    },
    headers: { host: NAME, ...(body && { 'content-type': 'application/json' }) },
  });
  sent.end(body && JSON.stringify(body));
  const [answer] = await once(sent, 'response');
  const text = (await Array.fromAsync(answer as AsyncIterable<Buffer>)).join('');
  return { status: answer.statusCode as number, text };
}

const statusOf = (port: number, method: string, path: string, body?: object) =>
  ask(port, method, path, body).then(
    ({ status }) => status,
    () => null,
  );

/** Copies the files of this checkout, and writes the three files that the operator gives. @returns the compose file's folder */
async function makeProject(settings: Record<string, string>): Promise<string> {
  const project = mkdtempSync(join(tmpdir(), 'compose-'));
  onTestFinished(() => rmSync(project, { recursive: true, force: true }));
  const folder = join(project, 'deploy/docker');
  mkdirSync(folder, { recursive: true });
  cpSync('deploy/docker', folder, { recursive: true });
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, '.env'), lines.join(''));
  mkdirSync(join(folder, 'keys'));
  const secret = randomBytes(32).toString('base64');
  writeFileSync(join(folder, 'keys/registrations.keys'), `k1:${secret}\n`);
  mkdirSync(join(folder, 'tls'));
  const { cert, private: key } = await generate([{ name: 'commonName', value: NAME }]);
  writeFileSync(join(folder, 'tls/fullchain.pem'), cert);
  writeFileSync(join(folder, 'tls/privkey.pem'), key);
  return folder;
}

test('the whole set comes up, takes clicks, and loses none in a restart', async () => {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  const own: Record<string, string> = {};
  for (const [variable, name, official] of [
    ['POSTGRES_IMAGE', 'postgres', 'docker.io/library/postgres:17'],
    ['REDIS_IMAGE', 'redis', 'docker.io/library/redis:7'],
  ] as const) {
    if (engine.has(official)) continue;
    own[variable] = `site-test-${name}`;
    await engine.build(own[variable], `tests/containers/images/${name}`);
  }
  const args = ['--build-arg', `VITE_SITE_URL=https://${NAME}`, '-f', 'deploy/docker/Dockerfile'];
  await engine.build(IMAGES.SERVER_IMAGE, ...args, '--target', 'server', '.');
  await engine.build(IMAGES.NGINX_IMAGE, ...args, '--target', 'nginx', '.');
  const bytes = Number(
    await engine.run('image', 'inspect', '--format', '{{.Size}}', IMAGES.SERVER_IMAGE),
  );
  expect(bytes).toBeLessThan(250_000_000);

  const [http, https] = [await freePort(), await freePort()];
  const folder = await makeProject({
    ...{
      POSTGRES_PASSWORD: 'a-password',
      HTTP_PORT: `127.0.0.1:${http}`,
      HTTPS_PORT: `127.0.0.1:${https}`,
    },
    ...IMAGES,
    ...own,
    RATE_LIMIT_CLICKS: '0',
  });
  const project = `site-test-${https}`;
  const compose = (...rest: string[]) => engine.compose(folder, '-p', project, ...rest);
  onTestFinished(async () => {
    await compose('down', '--volumes', '--timeout', '3');
  });
  await compose('up', '--detach', '--no-build');
  const click = (id: string) => statusOf(https, 'POST', '/api/log-cta', makeBody({ id }));
  await expect.poll(() => click(newId())).toBe(200);
  for (const server of SERVERS) {
    // The image's own health check, which asks /readyz. It needs no shell.
    await expect.poll(() => healthOf(server)).toBe(0);
  }
  expect(await statusOf(https, 'GET', '/')).toBe(200);

  const acked: string[] = [];
  let isRunning = true;
  const visitor = async () => {
    while (isRunning) {
      const id = newId();
      if ((await click(id)) === 200) acked.push(id);
    }
  };
  const visitors = Promise.all(Array.from({ length: 4 }, visitor));
  const untilAcked = (n: number) => expect.poll(() => acked.length).toBeGreaterThan(n);
  await untilAcked(200);
  await compose('restart', '--timeout', '10');
  await untilAcked(acked.length + 200);
  isRunning = false;
  await visitors;

  const ledgers = await Promise.all(
    SERVERS.map((server) =>
      inside(server, 'node', '-e', 'process.stdout.write(fs.readFileSync("/data/clicks.jsonl"))'),
    ),
  );
  const ids = ledgers.flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id),
  );
  expect(acked.filter((id) => !ids.includes(id))).toEqual([]);
  expect(await inside('server1', 'node', 'cli/clicks.ts', 'report')).toContain('Clicks from');
  process.stdout.write(
    `${acked.length} clicks before and after a restart of everything, 0 lost; image ${bytes} bytes\n`,
  );

  function inside(server: string, ...command: string[]): Promise<string> {
    return compose('exec', '-T', server, ...command);
  }
  /** Runs the image's own health check. @returns its exit code */
  async function healthOf(server: string): Promise<number> {
    const template = '{{json .Config.Healthcheck.Test}}';
    const found = await engine.run('image', 'inspect', '--format', template, IMAGES.SERVER_IMAGE);
    const [, ...command] = JSON.parse(found);
    return inside(server, ...command).then(
      () => 0,
      () => 1,
    );
  }
});
