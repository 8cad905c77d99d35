/**
 * Measures what visitors and clicks get during a flood of clicks: from one address and from many, over kept connections and over
 * new ones, at the server itself and through the shipped nginx.
 *
 *   npm run bench:overload -- [--seconds 12] [--connections 1000] [--share 0.1] [--way nginx]      Linux; installs wrk and nginx (Debian)
 *
 * The server and nginx share the first CPU, the load has the second. --share is the server's part of its CPU: 1 is a strong
 * server, 0.1 a tenth of it. The limits are the shipped ones. During a flood from one address the pages are asked for from that
 * address too. Prints the table of docs/results/overload.md. Exits with 1 when a page through nginx fails.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { makeDataDir } from './ingest-measures.ts';
import { type OverloadSite, startOverloadSite } from './overload-site.ts';
import { type PageFigures, probePages } from './page-probe.ts';
import { type LoadResult, runWrk } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '12' },
    connections: { type: 'string', default: '1000' },
    share: { type: 'string', multiple: true, default: ['1', '0.1'] },
    way: { type: 'string', multiple: true, default: ['direct', 'nginx'] },
  },
});
const SECONDS = Number(options.seconds);
const CONNECTIONS = Number(options.connections);
const ONE_ADDRESS = '192.0.2.1';
const OTHER_ADDRESS = '192.0.2.200';

const WAYS = ['direct', 'nginx'] as const;

interface Flood {
  name: string;
  env: Record<string, string>;
  /** Where the pages are asked for meanwhile. */
  pageAddress: string;
}

const ADDRESSES = [
  { name: 'one address', env: { BENCH_ADDRESS: ONE_ADDRESS }, pageAddress: ONE_ADDRESS },
  { name: 'many addresses', env: { BENCH_ADDRESSES: '1000000' }, pageAddress: OTHER_ADDRESS },
];
/** Milliseconds between the answer to a click of a crowd and its next click, on average. */
const CROWD_MS = '2000';
const FLOODS: Flood[] = [
  {
    name: 'a crowd, each clicks every 2 s',
    env: { BENCH_ADDRESSES: '1000000', BENCH_DELAY_MS: CROWD_MS },
    pageAddress: OTHER_ADDRESS,
  },
  ...ADDRESSES.map((from) => ({ ...from, name: `kept connections, ${from.name}` })),
  ...ADDRESSES.map((from) => ({
    ...from,
    name: `new connections, ${from.name}`,
    env: { ...from.env, BENCH_CLOSE: '1' },
  })),
];

if (!existsSync('dist/site.json')) throw new Error('Run `npm run build` first.');
const say = (text: string) => process.stdout.write(`${text}\n`);
const folder = makeDataDir();
let rows = 0;
let failedPages = 0;
say(
  '| server | way | flood | page p50 / p99, ms | failed pages | click p50 / p99, ms | clicks/s: 200 | 429 | 503 | other | server’s CPU | MB |',
);
say('|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|');
for (const share of options.share.map(Number)) {
  for (const way of WAYS.filter((it) => options.way.includes(it))) {
    for (const flood of [null, ...FLOODS]) await measure({ share, way, flood });
  }
}
if (failedPages > 0) say(`\n${failedPages} pages through nginx failed.`);
process.exitCode = failedPages > 0 ? 1 : 0;

/** A server of its own for each row, because the limits of a minute would reach into the next row. */
async function measure({
  share,
  way,
  flood,
}: {
  share: number;
  way: 'direct' | 'nginx';
  flood: Flood | null;
}): Promise<void> {
  rows += 1;
  const site = await startOverloadSite(share, join(folder, String(rows)));
  const url = site.urls[way];
  const before = site.cpuSeconds();
  const began = performance.now();
  const probe = probePages({ url: `${url}/`, address: flood?.pageAddress ?? OTHER_ADDRESS });
  const load = flood ? await sendClicks(url, flood) : await wait(SECONDS * 1000, null);
  const cpu = ((site.cpuSeconds() - before) * 1000) / (performance.now() - began);
  const pages = await probe.stop();
  if (way === 'nginx') failedPages += pages.failed;
  say(
    printRow(
      [share === 1 ? 'a whole CPU' : `${share} of a CPU`, way],
      flood,
      pages,
      load,
      cpu,
      site,
    ),
  );
  await site.stop();
}

function sendClicks(url: string, { env }: Flood): Promise<LoadResult> {
  return runWrk({
    ...{ url, seconds: SECONDS, connections: CONNECTIONS, cpu: 1 },
    env: { BENCH_STATUSES: '1', ...env },
  });
}

function printRow(
  start: string[],
  flood: Flood | null,
  pages: PageFigures,
  load: LoadResult | null,
  cpu: number,
  site: OverloadSite,
): string {
  const perS = (load?.statuses ?? []).map((count) =>
    Math.round((count * 1e6) / (load?.us ?? 1)).toLocaleString('en'),
  );
  const cells = [
    ...start,
    flood?.name ?? 'none',
    `${inMs(pages.p50)} / ${inMs(pages.p99)}`,
    `${pages.failed} of ${pages.asked}`,
    load ? `${inMs(load.p50 / 1000)} / ${inMs(load.p99 / 1000)}` : '',
    ...(load ? perS : ['', '', '', '']),
    `${Math.round(cpu * 100)} %`,
    site.memoryMb(),
  ];
  return `| ${cells.join(' | ')} |`;
}

function inMs(ms: number): string {
  return Math.round(ms).toLocaleString('en');
}
