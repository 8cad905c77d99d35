/**
 * Measures the throughput of one server and of three, with PostgreSQL, Redis, nginx and the load on the same machine. The CPU
 * time that each part spends on a click says more than clicks per second.
 *
 *   npm run bench:scale -- [--seconds 8]      Linux; installs wrk, PostgreSQL, Redis and nginx (Debian)
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { startNginx } from '../tests/helpers/cluster/nginx.ts';
import { query, startPostgres } from '../tests/helpers/cluster/postgres.ts';
import { startRedis } from '../tests/helpers/cluster/redis.ts';
import { freePort } from '../tests/helpers/server/local-server.ts';
import { NODE_FLAGS } from './ingest-process.ts';
import { runWrk } from './wrk.ts';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '8' } } });
const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
const folder = mkdtempSync(join(tmpdir(), 'scale-'));
const children: ChildProcess[] = [];
const say = (text: string) => process.stdout.write(`${text}\n`);

const [postgres, redis] = [await startPostgres(), await startRedis()];
const databaseUrl = await postgres.createDatabase();
const shared = {
  DATABASE_URL: databaseUrl,
  REDIS_URL: redis.url,
  REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};
try {
  await run();
} finally {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all([postgres.remove(), redis.remove()]);
  rmSync(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const [alone, ...three] = [
    await startServer({}),
    await startServer(shared),
    await startServer(shared),
    await startServer(shared),
  ];
  const dist = join(folder, 'dist');
  cpSync('dist', dist, { recursive: true });
  const env = { ...process.env, DIST_DIR: dist };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], { env, stdio: 'ignore' });
  const ports = three.map(({ port }) => port);
  const [one = 0] = ports;
  const single = await startNginx({ distDir: dist, serverPorts: [one, one, one] });
  const all = await startNginx({ distDir: dist, serverPorts: ports });
  await measure('one server, SQLite', `http://127.0.0.1:${alone?.port}`);
  await measure('one server, PostgreSQL and Redis', `http://127.0.0.1:${one}`);
  await measure('one server, PostgreSQL and Redis, through nginx with TLS', single.url);
  await measure('three servers, PostgreSQL and Redis, through nginx with TLS', all.url);
  await Promise.all([single.remove(), all.remove()]);
  await measureSizes(alone?.ledger ?? '');
}

async function startServer(more: Record<string, string>) {
  const port = await freePort();
  const dataDir = join(folder, String(port));
  const child = spawn(
    'setpriv',
    // The kernel ends the server when this process ends, also after a failed measurement.
    ['--pdeathsig=KILL', process.execPath, ...NODE_FLAGS, 'server/main.js'],
    {
      stdio: 'ignore',
      env: {
        ...process.env,
        ...{ PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, TRUST_PROXY: 'loopback' },
        RATE_LIMIT_CLICKS: '1000000000',
        ...more,
      },
    },
  );
  children.push(child);
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))) {
    if (child.exitCode !== null) throw new Error(`A server ended with ${child.exitCode}`);
    await wait(20);
  }
  return { port, ledger: join(dataDir, 'clicks.jsonl') };
}

async function measure(name: string, url: string): Promise<void> {
  await load(url, 2);
  const before = cpuSeconds();
  const result = await load(url, Number(options.seconds));
  const after = cpuSeconds();
  const clicks = result.requests - result.failed;
  const spent = [...after].map(([part, seconds]) => {
    const us = ((seconds - (before.get(part) ?? 0)) * 1e6) / clicks;
    return us < 1 ? '' : `${part} ${us.toFixed(0)}`;
  });
  say(
    `${name}: ${((clicks * 1e6) / result.us).toFixed(0)} clicks/s, p50 ${(result.p50 / 1000).toFixed(1)} ms, ` +
      `p99 ${(result.p99 / 1000).toFixed(1)} ms, ${result.failed} failed; CPU µs per click: ` +
      spent.filter(Boolean).join(', '),
  );
}

const load = (url: string, seconds: number) => runWrk({ url, seconds, connections: 96 });

/** @returns CPU seconds by program, over the whole machine */
function cpuSeconds(): Map<string, number> {
  const spent = new Map<string, number>();
  for (const file of globSync('/proc/[0-9]*/stat')) {
    const stat = readText(file);
    const name = nameOf(
      /\((.*)\)/.exec(stat)?.[1] ?? '',
      readText(file.replace(/stat$/, 'cmdline')),
    );
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
    if (name) spent.set(name, (spent.get(name) ?? 0) + seconds);
  }
  return spent;
}

function nameOf(program: string, command: string): string | null {
  if (command.includes('server/main.js')) return 'servers';
  return /^(postgres|redis-server|nginx|wrk)$/.exec(program)?.[1] ?? null;
}

/** A process may have ended meanwhile. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

async function measureSizes(ledger: string): Promise<void> {
  const lines = readFileSync(ledger);
  const n = lines.toString().split('\n').length - 1;
  say(
    `ledger: ${(statSync(ledger).size / n).toFixed(0)} bytes a line, gzip ${(gzipSync(lines).length / n).toFixed(0)}`,
  );
  const [sizes] = await query(
    databaseUrl,
    `SELECT count(*)::int AS clicks,
       (SELECT sum(pg_relation_size(inhrelid))::int FROM pg_inherits WHERE inhparent = 'clicks'::regclass) AS heap,
       (SELECT sum(pg_indexes_size(inhrelid))::int FROM pg_inherits WHERE inhparent = 'clicks'::regclass) AS index,
       (pg_current_wal_lsn() - '0/0')::bigint::text AS wal
     FROM clicks`,
  );
  const per = (bytes: unknown) => (Number(bytes) / Number(sizes?.clicks)).toFixed(0);
  say(
    `PostgreSQL: ${sizes?.clicks} clicks; bytes a click: ${per(sizes?.heap)} table, ${per(sizes?.index)} index, ` +
      `about ${per(Number(sizes?.wal) - 24e6)} journal`,
  );
}
