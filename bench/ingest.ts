/**
 * Measures the CPU time that a click costs the server. The server has one CPU, wrk the other.
 * Compare the requests per CPU-second: the requests per second depend on other work of the machine.
 * With `--addresses`, each click comes from an IP address of its own, and the rate limits are on.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startPostgres } from '../tests/helpers/cluster/postgres.ts';
import { printTable, runWrk } from './load.ts';
import { cpuSeconds, residentMb, startBenchServer } from './server.ts';

const CONNECTIONS = [64, 16, 1];
const WARM_UP_S = 2;
/** REGISTRATION_KEYS for a server with PostgreSQL. */
const KEYS = `k1:${Buffer.alloc(32).toString('base64')}`;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '8' },
      postgres: { type: 'boolean', default: false },
      addresses: { type: 'boolean', default: false },
    },
  });
  const postgres = values.postgres ? await startPostgres() : null;
  const server = await startBenchServer({
    env: {
      ...(postgres && { DATABASE_URL: await postgres.createDatabase(), REGISTRATION_KEYS: KEYS }),
      ...(values.addresses && { RATE_LIMIT: '600', TRUST_PROXY: '127.0.0.1' }),
    },
  });
  const pids = () => [server.pid, ...(postgres ? postgresPids() : [])];
  const rows: (string | number)[][] = [];
  for (const connections of CONNECTIONS) {
    await runWrk(server.url, connections, WARM_UP_S, values.addresses);
    const before = cpuSeconds(pids());
    const { requests, us, p50, p99, failed } = await runWrk(
      server.url,
      connections,
      Number(values.seconds),
      values.addresses,
    );
    const perCpuSecond = Math.round(requests / (cpuSeconds(pids()) - before));
    const inMs = (microseconds: number) => (microseconds / 1000).toFixed(2);
    const perSecond = Math.round(requests / (us / 1e6));
    rows.push([connections, perSecond, perCpuSecond, inMs(p50), inMs(p99), failed]);
  }
  printTable(
    ['connections', 'requests/s', 'requests per CPU-second', 'p50, ms', 'p99, ms', 'failed'],
    rows,
  );
  process.stdout.write(`Memory at the end: ${residentMb(server.pid)} MB\n`);
  process.stdout.write(`Start to the first answer: ${server.startMs} ms\n`);
  await postgres?.remove();
}

/** Returns the ids of all processes of PostgreSQL on this machine. */
const postgresPids = (): number[] =>
  execFileSync('pgrep', ['-x', 'postgres'], { encoding: 'utf8' }).trim().split('\n').map(Number);
