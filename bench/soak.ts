/**
 * A million clicks from a million addresses, while the server meets page loads, slow readers, floods of connections and garbage.
 * Memory and descriptors must stay flat, and each click must be in the ledger once.
 *
 *   npm run bench:soak -- [--clicks 1000000] [--connections 48] [--warm-up 30000]      Linux; TMPDIR names the disk
 *
 * The clicks of the warm-up come first, because the limiter's tables fill and code is compiled. The memory that is still in use
 * after a collection of garbage must be the same before and after the clicks that follow. Resident memory and descriptors have a
 * budget from 500,000 clicks on: in a short run they show the size that the heap finds, and the last flood. Exits with 1 when a
 * budget is missed.
 */
import { cpSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../tests/helpers/server/local-server.ts';
import { makeTrouble } from '../tests/helpers/soak/make-trouble.ts';
import { planClicks } from '../tests/helpers/soak/plan-clicks.ts';
import { openDescriptors, residentMb } from '../tests/helpers/soak/process-figures.ts';
import { makeDataDir, startOurs } from './ingest-measures.ts';
import { stopServer } from './ingest-process.ts';
import { median, type Row, report } from './ingest-report.ts';
import { openHeap } from './soak-heap.ts';

const { values: options } = parseArgs({
  options: {
    clicks: { type: 'string', default: '1000000' },
    connections: { type: 'string', default: '48' },
    'warm-up': { type: 'string', default: '30000' },
  },
});
const CLICKS = Number(options.clicks);
const WARM_UP = Number(options['warm-up']);
/** From here on a quarter of the clicks is much longer than the warm-up and than a flood. */
const IS_LONG = CLICKS >= 500_000;
const FILM = '/assets/long.Ab12Cd34.mp4';
const FILM_BYTES = 64 * 1024 * 1024;
/** Samples of memory and descriptors in each quarter. */
const SAMPLES = 50;
const SETTLE_MS = 60_000;

if (!existsSync('dist/site.json')) throw new Error('Run `npm run build` first.');
const dataDir = makeDataDir();
const inspectPort = await freePort();
const server = await startOurs(dataDir, {
  DIST_DIR: makeSite(),
  TRUST_PROXY: '1',
  MAX_CONNECTIONS: '500',
  NODE_OPTIONS: `--inspect=127.0.0.1:${inspectPort}`,
});
const heap = await openHeap(inspectPort);
const { pid } = server.child;
const port = Number(new URL(server.url).port);
await planClicks(1).send({ port, connections: 1 });
const atStart = openDescriptors(pid);
const connections = Number(options.connections);

const began = performance.now();
const trouble = makeTrouble({
  ...{ port, pages: pagePaths(), film: FILM },
  ...{ visitors: 8, slowReaders: 40, flood: 300 },
});
await planClicks(WARM_UP).send({ port, connections });
const usedBefore = await heap.usedMb();
const clicks = planClicks(CLICKS);
const samples: { quarter: number; mb: number; descriptors: number }[] = [];
const step = Math.ceil(CLICKS / 4 / SAMPLES);
const others = await clicks.send({
  port,
  connections,
  onAcked(acked) {
    if (acked % step === 0) sample(acked);
  },
});
const usedAfter = await heap.usedMb();
heap.close();
const seconds = (performance.now() - began) / 1000;
await trouble.stop();
const atEnd = await settledDescriptors();
const { missing, twice } = await clicks.check(join(dataDir, 'clicks.jsonl'));
await stopServer(server);
print();

function sample(acked: number): void {
  const quarter = Math.min(3, Math.floor((4 * (acked - 1)) / CLICKS));
  samples.push({ quarter, mb: residentMb(pid), descriptors: openDescriptors(pid) });
  if (acked % (step * SAMPLES) === 0) process.stderr.write(`${acked} clicks acknowledged\n`);
}

/** A copy of the build, with a film that does not fit into the buffers of a socket. */
function makeSite(): string {
  const folder = makeDataDir();
  cpSync('dist', folder, { recursive: true });
  writeFileSync(join(folder, 'client', FILM), '');
  truncateSync(join(folder, 'client', FILM), FILM_BYTES);
  return folder;
}

/** The page, and its scripts and styles. */
function pagePaths(): string[] {
  const files = readdirSync('dist/client/assets', { recursive: true, encoding: 'utf8' });
  const assets = files.filter((name) => /\.(js|css)$/.test(name));
  return ['/', '/api/stats', ...assets.map((name) => `/assets/${name}`)];
}

/** Resolves when no more descriptors are open than at the start, or after a minute. */
async function settledDescriptors(): Promise<number> {
  const limit = performance.now() + SETTLE_MS;
  while (openDescriptors(pid) > atStart && performance.now() < limit)
    await new Promise((resolve) => setTimeout(resolve, 100));
  return openDescriptors(pid);
}

function print(): void {
  const of = (quarter: number, what: 'mb' | 'descriptors') =>
    median(samples.filter((s) => s.quarter === quarter).map((s) => s[what]));
  const faults = [...others, ...trouble.answers].filter(([status]) => status >= 500);
  const unexpected = faults.filter(([status]) => status !== 503 && status !== 505);
  const sum = (counts: [number, number][]) => counts.reduce((total, [, n]) => total + n, 0);
  const { made } = trouble;
  const inLongRuns = IS_LONG ? { most: 1.1 } : {};
  const rows: Row[] = [
    { name: 'clicks of the warm-up', value: WARM_UP },
    {
      name: `clicks after it, each from its own address; ${Math.round(seconds)} s in all`,
      value: CLICKS,
    },
    { name: '… not in the ledger', value: missing, most: 0 },
    { name: '… in the ledger more than once', value: twice, most: 0 },
    { name: '… sent again', value: sum([...others]) },
    { name: 'page loads', value: made.pages },
    { name: 'slow readers', value: made.slowReaders },
    { name: 'floods of 300 connections', value: made.floods },
    { name: 'connections with garbage', value: made.garbage },
    { name: 'answers with 5xx, except 503 and 505', value: sum(unexpected), most: 0 },
    { name: 'memory in use before them, MB', value: usedBefore, digits: 1 },
    { name: '… after them ÷ before', value: usedAfter / usedBefore, digits: 2, most: 1.1 },
    { name: 'resident memory, first quarter, MB', value: of(0, 'mb') },
    { name: '… last ÷ first', value: of(3, 'mb') / of(0, 'mb'), digits: 2, ...inLongRuns },
    { name: 'open descriptors, first quarter', value: of(0, 'descriptors') },
    {
      name: '… last ÷ first',
      value: of(3, 'descriptors') / of(0, 'descriptors'),
      digits: 2,
      ...inLongRuns,
    },
    { name: `… at the end (${atStart} at the start)`, value: atEnd, most: atStart },
  ];
  const { table, missed } = report(rows);
  const answers = [...trouble.answers].sort(([a], [b]) => a - b).map(([s, n]) => `${s}: ${n}`);
  process.stdout.write(`${table}\n\nanswers to trouble by status: ${answers.join(', ')}\n`);
  process.stdout.write(`${missed} budgets missed.\n`);
  process.exitCode = missed > 0 ? 1 : 0;
}
