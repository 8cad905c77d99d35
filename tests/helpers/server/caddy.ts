/** Runs Caddy, with the configuration of deploy/docker, in front of servers on this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { endDaemon } from '../cluster/postgres.ts';
import { findProgram } from '../run/find-programs.ts';
import { PLANTED } from './check-lines.ts';
import { freePort } from './local-server.ts';

const CONFIGURATION = ['--adapter', 'caddyfile', '--config', 'deploy/docker/Caddyfile'];

/**
 * Starts Caddy until the end of the test. Resolves when it answers. The test fails if Caddy's log
 * has data of a visitor.
 *
 * @throws with Caddy's messages if it rejects the configuration
 */
export async function startCaddy(serverPorts: number[]) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const servers = serverPorts.map((port) => `127.0.0.1:${port}`).join(' ');
  // With `--pdeathsig`, the kernel kills Caddy when this process ends.
  const args = ['--pdeathsig=KILL', '--', findProgram('caddy') ?? '', 'run', ...CONFIGURATION];
  const child = spawn('setpriv', args, {
    env: { ...process.env, SITE_ADDRESS: url, SERVERS: servers },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  onTestFinished(async () => {
    await endDaemon(child, 'SIGTERM');
    expect(log).not.toMatch(PLANTED);
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(log);
  });
  ended.catch(() => {});
  const isUp = () =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => wait(20, false),
    );
  while (!(await Promise.race([isUp(), ended])));
  return { url, port };
}
