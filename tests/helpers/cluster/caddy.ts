/** Runs Caddy with the shipped configuration. */
import { doesNotMatch } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { findCaddy } from '../run/find-programs.ts';
import { PLANTED } from '../server/check-lines.ts';
import { freePort } from '../server/local-server.ts';
import { endDaemon } from './postgres.ts';

const CONFIGURATION = ['--adapter', 'caddyfile', '--config', 'deploy/docker/Caddyfile'];

/** Resolves when Caddy listens. @throws with its messages when it refuses the configuration */
export async function startCaddy(serverPorts: number[]) {
  const program = findCaddy();
  if (!program) throw new Error('Caddy is missing. Run node tests/helpers/run/ensure-needs.ts');
  const url = `http://127.0.0.1:${await freePort()}`;
  const servers = serverPorts.map((port) => `127.0.0.1:${port}`).join(' ');
  // The kernel ends it with this process.
  const args = ['--pdeathsig=KILL', '--', program, 'run', ...CONFIGURATION];
  const child = spawn('setpriv', args, {
    env: { ...process.env, SITE_ADDRESS: url, SERVERS: servers },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(log);
  });
  ended.catch(() => {});
  while (!(await Promise.race([answers(url), ended]))) await wait(20);
  return {
    url,
    /** @throws when its log has data of a visitor */
    async remove() {
      await endDaemon(child, 'SIGTERM');
      doesNotMatch(log, PLANTED, 'Caddy’s log has data of a visitor');
    },
  };
}

const answers = (url: string) =>
  fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );
