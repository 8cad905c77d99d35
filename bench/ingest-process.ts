/** A server under load: starts it on one CPU, loads it from another, and reads what it used. Linux, with wrk. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };

export interface Server {
  child: ChildProcess;
  url: string;
  /** From its start to its first answer. */
  startMs: number;
}

export interface LoadResult {
  requests: number;
  us: number;
  failed: number;
  /** Microseconds. */
  p50: number;
  p99: number;
}

/** As `npm run serve` starts it. */
const NODE_FLAGS = /node (.*) server\/main\.ts/
  .exec(packageJson.scripts.serve)?.[1]
  ?.split(' ')
  .filter((flag) => !flag.startsWith('--env-file'));

export async function startServer(
  script: string,
  port: number,
  env: Record<string, string>,
): Promise<Server> {
  const begin = performance.now();
  const child = spawn('taskset', ['-c', '0', process.execPath, ...(NODE_FLAGS ?? []), script], {
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

/** @returns milliseconds from SIGTERM to its end */
export async function stopServer({ child }: Server): Promise<number> {
  const begin = performance.now();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return performance.now() - begin;
}

export const CONNECTIONS = 64;

let sent = 0;

/** Every connection sends again as soon as it is answered, for that many seconds. */
export function load(
  url: string,
  seconds: number,
  env: Record<string, string> = {},
): Promise<LoadResult> {
  const script = `${import.meta.dirname}/ingest-clicks.lua`;
  const args =
    `-c 1 wrk -t1 -c${CONNECTIONS} -d${seconds}s --timeout 10s -s ${script} ${url}`.split(' ');
  return new Promise((resolve, reject) => {
    const wrk = spawn('taskset', args, {
      env: { ...process.env, BENCH_FIRST: String(sent), ...env },
    });
    let text = '';
    wrk.stdout.on('data', (part) => {
      text += part;
    });
    wrk.on('error', reject);
    wrk.on('close', () => {
      const result = /RESULT (.*)/.exec(text)?.[1];
      if (!result) return reject(new Error(`wrk said: ${text}`));
      const parsed: LoadResult = JSON.parse(result);
      sent += parsed.requests + 1000;
      resolve(parsed);
    });
  });
}

const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU seconds so far, of all its threads. */
export function cpuSeconds({ child }: Server): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
}

/** Megabytes. */
export function residentMemory({ child }: Server): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
