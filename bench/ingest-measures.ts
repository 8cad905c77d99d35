/** One function per measurement. Each starts its servers and stops them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteIndex } from '../server/clicks/index/sqlite-index.ts';
import { newId } from '../server/database/new-id.ts';
import {
  CONNECTIONS,
  cpuSeconds,
  load,
  residentMemory,
  type Server,
  startServer,
  stopServer,
} from './ingest-process.ts';

/** Number of requests after which compiler and caches have settled. */
const WARM_UP_REQUESTS = 100_000;
const STATS = { BENCH_GET: '/api/stats' };
export const MILLION = 1_000_000;

export interface Measured {
  perS: number;
  perCpuS: number;
  p50Ms: number;
  p99Ms: number;
  rssMb: number;
}

export const startRaw = () => startServer('bench/ingest-raw.ts', {});

/** The server counts limits but never reaches them. */
export function startOurs(dataDir: string, env: Record<string, string> = {}): Promise<Server> {
  const unreached = {
    RATE_LIMIT_CLICKS: '1000000000',
    RATE_LIMIT_OTHER: '1000000000',
    // Each request reads the counters.
    STATS_PERIOD_MIN: '0',
  };
  return startServer('server/main.js', { DATA_DIR: dataDir, ...unreached, ...env });
}

export async function measure(
  server: Server,
  seconds: number,
  env: Record<string, string> = {},
): Promise<Measured> {
  for (let done = 0; done < WARM_UP_REQUESTS; ) done += (await load(server.url, 1, env)).requests;
  const before = cpuSeconds(server);
  const result = await load(server.url, seconds, env);
  if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
  const measured = {
    perS: result.requests / (result.us / 1e6),
    perCpuS: result.requests / (cpuSeconds(server) - before),
    p50Ms: result.p50 / 1000,
    p99Ms: result.p99 / 1000,
    rssMb: residentMemory(server),
  };
  await stopServer(server);
  return measured;
}

/**
 * Compares two servers that run at the same time and take turns, so that both meet the same other load.
 *
 * @returns for each round, CPU time per click of the second server ÷ that of the first
 */
export async function compareCpu(
  pair: [Server, Server],
  rounds: number,
  seconds: number,
): Promise<number[]> {
  const cpuPerClick = async (server: Server) => {
    const before = cpuSeconds(server);
    const { requests } = await load(server.url, seconds);
    return (cpuSeconds(server) - before) / requests;
  };
  for (const server of pair) await load(server.url, COMPILE_S);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const cpu = new Map<Server, number>();
    for (const server of round % 2 ? pair : pair.toReversed())
      cpu.set(server, await cpuPerClick(server));
    const ratio = (cpu.get(pair[1]) ?? Number.NaN) / (cpu.get(pair[0]) ?? Number.NaN);
    process.stderr.write(`round ${round + 1}: ${ratio.toFixed(3)}\n`);
    ratios.push(ratio);
  }
  for (const server of pair) await stopServer(server);
  return ratios;
}

/** Seconds of load after which compiler and caches have settled. */
const COMPILE_S = 6;

export const measureStats = (server: Server, seconds: number) => measure(server, seconds, STATS);

/**
 * Sends a given number of clicks per second: each connection pauses between two clicks. wrk pauses after the answer, and in
 * whole milliseconds, so short trials find the right pause.
 */
export async function measureAt(perS: number, seconds: number): Promise<Measured> {
  const server = await startOurs(makeDataDir());
  await load(server.url, 3);
  const betweenMs = (CONNECTIONS / perS) * 1000;
  let delayMs = betweenMs;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const { requests, us } = await load(server.url, 2, { BENCH_DELAY_MS: String(delayMs) });
    delayMs = Math.max(0.1, delayMs + betweenMs - (CONNECTIONS * us) / 1000 / requests);
  }
  return measure(server, seconds, { BENCH_DELAY_MS: String(delayMs) });
}

const TRIALS = 4;

/** @returns milliseconds from the start to the first answer, and from SIGTERM under load to the exit */
export async function measureLife(): Promise<{ startMs: number; stopMs: number }> {
  const server = await startOurs(makeDataDir());
  const loaded = load(server.url, 3);
  await wait(1500);
  const stopMs = await stopServer(server);
  await loaded;
  return { startMs: server.startMs, stopMs };
}

/** @returns resident memory in megabytes after 250,000, 500,000, 750,000 and 1,000,000 clicks, each from another address */
export async function measureMemory(): Promise<number[]> {
  const server = await startOurs(makeDataDir(), { TRUST_PROXY: '1', RATE_LIMIT_CLICKS: '1000' });
  const sizes: number[] = [];
  for (let done = 0; sizes.length < 4; ) {
    done += (await load(server.url, 5, { BENCH_ADDRESSES: String(MILLION) })).requests;
    if (done >= ((sizes.length + 1) * MILLION) / 4) sizes.push(residentMemory(server));
  }
  await stopServer(server);
  return sizes;
}

/** Makes a folder that is removed when the program ends. */
export function makeDataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @returns a data folder whose index has this number of clicks */
export async function makeFullDataDir(count: number): Promise<string> {
  const folder = makeDataDir();
  const path = join(folder, 'site.sqlite');
  await openSqliteIndex(path, () => {}).close();
  const db = new DatabaseSync(path);
  const insert = db.prepare('INSERT INTO clicks (id) VALUES (?)');
  db.exec('BEGIN');
  for (let n = 0; n < count; n += 1) insert.run(Buffer.from(newId().replaceAll('-', ''), 'hex'));
  db.exec('COMMIT');
  db.close();
  return folder;
}
