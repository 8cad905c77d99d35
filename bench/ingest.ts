/**
 * What a click costs: the whole server beside a raw node:http server, in one run.
 *
 *   npm run bench:ingest -- [--rounds 3] [--seconds 8] [--memory] [--stored]
 *
 * --memory sends a million clicks from a million addresses; --stored compares ten million stored clicks with none.
 * Requests per CPU second of the server hardly move when others use the machine; requests per second do.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { newId } from '../server/clicks/new-id.ts';
import { openSqliteStore } from '../server/store/sqlite.ts';
import {
  cpuSeconds,
  load,
  residentMemory,
  type Server,
  startServer,
  stopServer,
} from './ingest-process.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    memory: { type: 'boolean' },
    stored: { type: 'boolean' },
  },
});
const SECONDS = Number(options.seconds);
/** The compiler and the caches have settled after so many requests, whatever time they take. */
const WARM_UP_REQUESTS = 60_000;
const MILLION = 1_000_000;

interface Row {
  perS: number;
  perCpuS: number;
  p50Ms: number;
  p99Ms: number;
  rssMb: number;
}

if (!existsSync('dist/site.json')) throw new Error('Run `npm run build` first.');
const raw = await measureRounds('raw', async () => startServer('bench/ingest-raw.ts', 4710, {}));
const ours = await measureRounds('ours', async () => startOurs(makeDataDir()));
print(
  '| server | req/s | req per CPU-s | ÷ raw | p50 ms | p99 ms | RSS MB |\n|---|--:|--:|--:|--:|--:|--:|',
);
for (const [name, row] of [
  ['raw node:http: parse, answer', raw],
  ['the whole pipeline', ours],
] as const) {
  const ratio = (row.perCpuS / raw.perCpuS).toFixed(2);
  print(
    `| ${name} | ${round(row.perS)} | ${round(row.perCpuS)} | ${ratio} | ${row.p50Ms} | ${row.p99Ms} | ${row.rssMb} |`,
  );
}
await measureHalfLoad(ours.perS);
if (options.memory) await measureMemory();
if (options.stored) await measureStored();

async function measureRounds(name: string, start: () => Promise<Server>): Promise<Row> {
  const rows: Row[] = [];
  for (let n = 1; n <= Number(options.rounds); n += 1) {
    const server = await start();
    rows.push(await measure(server));
    await stopServer(server);
    process.stderr.write(`${name} ${n}: ${JSON.stringify(rows.at(-1))}\n`);
  }
  const median = (pick: (row: Row) => number) =>
    rows.map(pick).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
  return {
    perS: median((row) => row.perS),
    perCpuS: median((row) => row.perCpuS),
    p50Ms: median((row) => row.p50Ms),
    p99Ms: median((row) => row.p99Ms),
    rssMb: median((row) => row.rssMb),
  };
}

async function measure(server: Server): Promise<Row> {
  await warmUp(server);
  const before = cpuSeconds(server);
  const result = await load(server.url, SECONDS);
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
  return {
    perS: result.requests / (result.us / 1e6),
    perCpuS: result.requests / (cpuSeconds(server) - before),
    p50Ms: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
    rssMb: residentMemory(server),
  };
}

async function warmUp(server: Server): Promise<void> {
  for (let done = 0; done < WARM_UP_REQUESTS; ) done += (await load(server.url, 1)).requests;
}

/** Each of the 64 connections waits between two clicks. */
async function measureHalfLoad(capacityPerS: number): Promise<void> {
  const server = await startOurs(makeDataDir());
  await warmUp(server);
  const delayMs = (64 / (capacityPerS / 2)) * 1000;
  const { requests, us, p50, p99 } = await load(server.url, SECONDS, {
    BENCH_DELAY_MS: String(delayMs),
  });
  await stopServer(server);
  print(
    `\nAt ${round(requests / (us / 1e6))} req/s, half of that: p50 ${p50 / 1000} ms, p99 ${p99 / 1000} ms.`,
  );
}

async function measureMemory(): Promise<void> {
  const server = await startOurs(makeDataDir(), { TRUST_PROXY: '1', RATE_LIMIT_CLICKS: '1000' });
  const sizes: string[] = [];
  for (let done = 0, mark = 0; done < MILLION; ) {
    done += (await load(server.url, 5, { BENCH_ADDRESSES: String(MILLION) })).requests;
    if (done < mark) continue;
    sizes.push(`${residentMemory(server)} MB after ${round(done)}`);
    mark += MILLION / 4;
  }
  await stopServer(server);
  print(`\nResident memory, clicks from a million addresses: ${sizes.join(', ')}.`);
}

async function measureStored(): Promise<void> {
  const dataDir = makeDataDir();
  fillStore(join(dataDir, 'site.sqlite'), 10 * MILLION);
  const full = await measureRounds('ten million stored', async () => startOurs(dataDir));
  const ratio = (ours.perCpuS / full.perCpuS).toFixed(2);
  print(
    `\nWith ten million stored clicks: ${round(full.perCpuS)} req per CPU-s; a click costs ${ratio} of one with none.`,
  );
}

function fillStore(path: string, count: number): void {
  openSqliteStore(path, () => {}).close();
  const db = new DatabaseSync(path);
  const insert = db.prepare('INSERT INTO clicks (id) VALUES (?)');
  db.exec('BEGIN');
  for (let n = 0; n < count; n += 1) insert.run(Buffer.from(newId().replaceAll('-', ''), 'hex'));
  db.exec('COMMIT');
  db.close();
}

function startOurs(dataDir: string, env: Record<string, string> = {}): Promise<Server> {
  return startServer('server/main.ts', 4711, { DATA_DIR: dataDir, RATE_LIMIT_CLICKS: '0', ...env });
}

function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function round(n: number): string {
  return Math.round(n).toLocaleString('en');
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
