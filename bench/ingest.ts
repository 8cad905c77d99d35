/**
 * Measures the cost of a click: requests per CPU-second of the server, and its delays.
 *
 *   npm run bench:ingest -- [--seconds 8] [--build dist]
 *
 * SQLite in a new folder, or PostgreSQL on this machine with DATABASE_URL and REGISTRATION_KEYS. The server has one CPU, wrk the
 * other. Compare requests per CPU-second: requests per second depend on other load on the machine. Needs Linux and wrk.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import packageJson from '../package.json' with { type: 'json' };
import { freePort } from '../tests/helpers/server/local-server.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    build: { type: 'string', default: 'dist' },
  },
});
const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** The flags of `npm run serve`. */
const NODE_FLAGS = (/node (.*) server\/main\.js/.exec(packageJson.scripts.serve)?.[1] ?? '')
  .split(' ')
  .filter((flag) => !flag.startsWith('--env-file'));

const print = (line: string) => process.stdout.write(`${line}\n`);
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'));
const url = `http://127.0.0.1:${await freePort()}`;
const begin = performance.now();
const server = spawn(
  'setpriv',
  [
    '--pdeathsig=KILL',
    'taskset',
    '-c',
    '0',
    process.execPath,
    ...NODE_FLAGS,
    'server/main.js',
    options.build,
  ],
  {
    env: {
      ...process.env,
      PORT: new URL(url).port,
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      RATE_LIMIT: '0',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  },
);
// The kernel ends the server with this process, also after a failed measurement.
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
while (!(await fetch(`${url}/livez`).catch(() => null))) {
  if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
  await wait(5);
}
print(`Start to first answer: ${Math.round(performance.now() - begin)} ms\n`);
print('| connections | requests/s | requests per CPU-second | p50, ms | p99, ms | failed |');
print('|--:|--:|--:|--:|--:|--:|');
for (const connections of [64, 16, 1]) await measure(connections);
process.exit();

async function measure(connections: number): Promise<void> {
  await runWrk(connections, 2);
  const before = cpuSeconds();
  const { requests, us, p50, p99, failed } = await runWrk(connections, Number(options.seconds));
  const cells = [
    connections,
    Math.round(requests / (us / 1e6)),
    Math.round(requests / (cpuSeconds() - before)),
    ...[p50, p99].map((one) => (one / 1000).toFixed(2)),
    failed,
  ];
  print(`| ${cells.join(' | ')} |`);
}

/** @returns CPU time of the server and, with DATABASE_URL, of every PostgreSQL of this machine */
function cpuSeconds(): number {
  const pids = [String(server.pid)];
  if (process.env.DATABASE_URL)
    pids.push(
      ...execFileSync('pgrep', ['-x', 'postgres'], { encoding: 'utf8' }).trim().split('\n'),
    );
  const ticks = pids.flatMap((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
  });
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_S;
}

/** Each connection sends the next click after the answer. Times are microseconds. */
async function runWrk(connections: number, seconds: number) {
  const args = `-c 1 wrk -t1 -c${connections} -d${seconds}s --timeout 10s -s ${import.meta.dirname}/ingest-clicks.lua ${url}`;
  const env = { ...process.env, BENCH_FIRST: String(Date.now() % 1e9) };
  const child = spawn('taskset', args.split(' '), { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  await once(child, 'close');
  const result = /RESULT (.*)/.exec(text)?.[1];
  if (!result)
    throw new Error(
      `wrk gave no result: ${text.trim()}. If it is not installed: apt-get install wrk`,
    );
  return JSON.parse(result) as Record<'requests' | 'us' | 'failed' | 'p50' | 'p99', number>;
}
