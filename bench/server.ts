/** Starts the real server for a bench, on a CPU of its own, and reads what its process uses. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { freePort } from '../tests/helpers/server/local-server.ts';

/** Node's flags in the script `serve` of package.json. */
const NODE_FLAGS = (/node (.*) server\/main\.js/.exec(packageJson.scripts.serve)?.[1] ?? '')
  .split(' ')
  .filter((flag) => !flag.startsWith('--env-file'));
/** Prefix of a command that the kernel kills when its parent process ends. */
export const DIES_WITH_PARENT = ['setpriv', '--pdeathsig=KILL'];

export const SERVER_CPU = '0';

/** @returns a folder that is removed when the bench ends */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Options {
  dataDir?: string;
  env?: Record<string, string>;
  /** The folder of the build. */
  dist?: string;
  /** Prefix of the server's command, such as `strace …`. */
  through?: string[];
}

/**
 * Starts a server without rate limits. Resolves when it answers.
 *
 * @returns `startMs`: milliseconds from the start of the process to the first answer
 * @throws if the process ends before
 */
export async function startBenchServer({
  dataDir = makeFolder(),
  env = {},
  dist = 'dist',
  through = [],
}: Options = {}) {
  const url = `http://127.0.0.1:${await freePort()}`;
  const node = [process.execPath, ...NODE_FLAGS, 'server/main.js', dist];
  const [program = '', ...args] = [
    ...DIES_WITH_PARENT,
    'taskset',
    '-c',
    SERVER_CPU,
    ...through,
    ...DIES_WITH_PARENT,
    ...node,
  ];
  const begin = performance.now();
  const server = spawn(program, args, {
    env: {
      ...process.env,
      PORT: new URL(url).port,
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_LIMIT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!(await fetch(`${url}/livez`).catch(() => null))) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
    await wait(5);
  }
  return { url, dataDir, pid: Number(server.pid), startMs: Math.round(performance.now() - begin) };
}

/** Allows all threads of a process to run on these CPUs, such as `0-1`. */
export function allowCpus(pid: number, cpus: string): void {
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cpus, String(pid)]);
}

/** Returns the resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb) / 1024);
}

/** Unit of the CPU times in /proc. */
const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns the CPU time that the processes have used together, in seconds. */
export function cpuSeconds(pids: number[]): number {
  const ticks = pids.flatMap((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 13).map(Number);
  });
  return ticks.reduce((sum, count) => sum + count, 0) / TICKS_PER_S;
}
