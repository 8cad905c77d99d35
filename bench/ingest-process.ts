/** Starts a server on one CPU, loads it from another, and reads its CPU time and memory. Needs Linux and wrk. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { freePort } from '../tests/helpers/server/local-server.ts';
import { runWrk } from './wrk.ts';

export interface Server {
  child: ChildProcess;
  url: string;
  /** Milliseconds from the start to the first answer. */
  startMs: number;
}

/** The flags of `npm run serve`. */
const NODE_FLAGS = (/node (.*) server\/main\.js/.exec(packageJson.scripts.serve)?.[1] ?? '')
  .split(' ')
  .filter((flag) => !flag.startsWith('--env-file'));

/** The kernel ends the server when this process ends, also after a failed measurement. */
const ON_FIRST_CPU = ['--pdeathsig=KILL', 'taskset', '-c', '0'];

/** Starts a server on a free port. Resolves when it answers. */
export async function startServer(script: string, env: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const begin = performance.now();
  const args = [...ON_FIRST_CPU, process.execPath, ...NODE_FLAGS, script];
  const child = spawn('setpriv', args, {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(url, { method: 'POST', body: '{}' }).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`${script} ended with ${child.exitCode}`);
    await wait(5);
  }
  return { child, url, startMs: performance.now() - begin };
}

/** @returns milliseconds from SIGTERM to the exit */
export async function stopServer({ child }: Server): Promise<number> {
  const begin = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return performance.now() - begin;
}

export const CONNECTIONS = 64;

/** Loads the server for that number of seconds. Each connection sends the next request after the answer. */
export const load = (url: string, seconds: number, env: Record<string, string> = {}) =>
  runWrk({ url, seconds, connections: CONNECTIONS, cpu: 1, env });

const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @returns CPU seconds of all threads since the start */
export function cpuSeconds({ child }: Server): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

/** @returns resident memory in megabytes */
export function residentMemory({ child }: Server): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
