/**
 * Measures the cost of a click: the whole server next to a raw node:http server, in one run.
 *
 *   npm run bench:ingest -- [--rounds 5] [--seconds 8] [--no-load] [--memory] [--stored] [--metrics]
 *
 * --no-load leaves out the comparison with raw, half load, start and stop; --memory sends a million clicks from a
 * million addresses; --stored compares ten million stored clicks with none; --metrics compares metrics on with off. Compared
 * servers take turns. Compare requests per CPU second of the server: requests per second depend on other load on the machine.
 * Exits with 1 when a budget is missed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../tests/helpers/server/local-server.ts';
import {
  compareCpu,
  type Measured,
  MILLION,
  makeDataDir,
  makeFullDataDir,
  measure,
  measureAt,
  measureLife,
  measureMemory,
  measureStats,
  startOurs,
  startRaw,
} from './ingest-measures.ts';
import type { Server } from './ingest-process.ts';
import { median, type Row, report } from './ingest-report.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '8' },
    load: { type: 'boolean', default: true },
    memory: { type: 'boolean', default: false },
    stored: { type: 'boolean', default: false },
    metrics: { type: 'boolean', default: false },
  },
  allowNegative: true,
});
const ROUNDS = Number(options.rounds);
const SECONDS = Number(options.seconds);

if (!existsSync(join(process.env.DIST_DIR ?? 'dist', 'site.json')))
  throw new Error('Run `npm run build` first.');
const rows: Row[] = [];
if (options.load) rows.push(...(await compareWithRaw()), ...(await watchLives()));
if (options.memory) rows.push(...describeMemory(await measureMemory()));
if (options.stored) rows.push(...(await compareStored()));
if (options.metrics) rows.push(...(await compareMetrics()));
const { table, missed } = report(rows);
process.stdout.write(`${table}\n\n${missed} budgets missed.\n`);
process.exitCode = missed > 0 ? 1 : 0;

async function compareWithRaw(): Promise<Row[]> {
  const { raw, ours } = await inTurns({
    raw: async () => measure(await startRaw(), SECONDS),
    ours: async () => measure(await startOurs(makeDataDir()), SECONDS),
  });
  const capacity = of(ours, 'perS');
  const half = await measureAt(capacity / 2, SECONDS);
  const share = Math.round((half.perS / capacity) * 100);
  return [
    { name: 'raw node:http (parse, answer): requests per CPU-second', value: of(raw, 'perCpuS') },
    { name: 'the whole pipeline: requests per CPU-second', value: of(ours, 'perCpuS') },
    { name: '… ÷ raw, median of the rounds', value: ofRounds(ours, raw), digits: 2, least: 0.4 },
    { name: '… requests per second, 64 connections', value: capacity },
    { name: '… p50, ms', value: of(ours, 'p50Ms'), digits: 1 },
    { name: '… p99, ms', value: of(ours, 'p99Ms'), digits: 1 },
    { name: '… resident memory, MB', value: of(ours, 'rssMb') },
    {
      name: `at ${Math.round(half.perS)} a second, ${share} % of that: p50, ms`,
      value: half.p50Ms,
      digits: 1,
    },
    { name: '… p99, ms', value: half.p99Ms, digits: 1, most: 25 },
  ];
}

async function watchLives(): Promise<Row[]> {
  const lives = [];
  for (let n = 0; n < ROUNDS; n += 1) lives.push(await measureLife());
  return [
    { name: 'start to first answer, ms', value: median(lives.map((l) => l.startMs)), most: 500 },
    {
      name: 'SIGTERM to exit under load, slowest, ms',
      value: Math.max(...lives.map((l) => l.stopMs)),
      most: 2000,
    },
  ];
}

/** Upper bound for "flat": the last 250,000 clicks add at most 5 % of memory. */
function describeMemory(sizes: number[]): Row[] {
  const [third = 0, fourth = 0] = sizes.slice(-2);
  return [
    {
      name: 'resident memory, a million clicks from a million addresses, MB',
      value: Math.max(...sizes),
      most: 200,
    },
    {
      name: `… after each quarter ${sizes.join(', ')}: last ÷ third`,
      value: fourth / third,
      digits: 2,
      most: 1.05,
    },
  ];
}

async function compareStored(): Promise<Row[]> {
  const fullDir = await makeFullDataDir(10 * MILLION);
  const { none, full, statsNone, statsFull } = await inTurns({
    none: async () => measure(await startOurs(makeDataDir()), SECONDS),
    full: async () => measure(await startOurs(fullDir), SECONDS),
    statsNone: async () => measureStats(await startOurs(makeDataDir()), SECONDS),
    statsFull: async () => measureStats(await startOurs(fullDir), SECONDS),
  });
  const ratio = (a: Measured[], b: Measured[]) => of(a, 'perCpuS') / of(b, 'perCpuS');
  return [
    {
      name: 'ten million clicks stored ÷ none: a click',
      value: ratio(none, full),
      digits: 2,
      most: 1.2,
    },
    { name: '… `/api/stats`', value: ratio(statsNone, statsFull), digits: 2, most: 1.2 },
  ];
}

async function compareMetrics(): Promise<Row[]> {
  const start = (port: string) => startOurs(makeDataDir(), { METRICS_PORT: port });
  const pair: [Server, Server] = [await start('off'), await start(String(await freePort()))];
  const ratios = await compareCpu(pair, ROUNDS, SECONDS);
  return [
    {
      name: 'CPU of a click, metrics on ÷ off, median of the rounds',
      value: median(ratios),
      digits: 3,
      most: 1.02,
    },
  ];
}

/** Each round measures each server once. */
async function inTurns<K extends string>(
  targets: Record<K, () => Promise<Measured>>,
): Promise<Record<K, Measured[]>> {
  const names = Object.keys(targets) as K[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    K,
    Measured[]
  >;
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const name of names) {
      const measured = await targets[name]();
      results[name].push(measured);
      process.stderr.write(`${name} ${round}: ${JSON.stringify(measured)}\n`);
    }
  }
  return results;
}

/** Compares each round with itself, because the machine's speed changes from round to round. */
function ofRounds(ours: readonly Measured[], raw: readonly Measured[]): number {
  return median(ours.map(({ perCpuS }, i) => perCpuS / (raw[i]?.perCpuS ?? Number.NaN)));
}

function of(rounds: readonly Measured[], what: keyof Measured): number {
  return median(rounds.map((round) => round[what]));
}
