/**
 * Measures the report on a full table of SQLite: the time of its pages, and the times of clicks
 * while reports of 90 days are made. The rows are spread over these 90 days; the report's first
 * page reads 60 of them, its 30 days and the 30 before. There are as many visits as clicks, and
 * every tenth click is the second one of its visit. At the end a flood of visits in one hour, each
 * with a ref of its own, is added, and the report is opened again.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DAY_MS } from '../server/time.ts';
import { DAYS, fillDatabase, flood } from './fill-database.ts';
import { percentile, printTable, runWrk, sendSteadily } from './load.ts';
import { allowCpus, DIES_WITH_PARENT, makeFolder, SERVER_CPU, startBenchServer } from './server.ts';

/** Clicks a second. */
const RATE = 300;
/** Number of runs of `site report`. */
const REPORTS = 3;
const WARM_UP_S = 2;
const PASSWORD = 'a password of the bench';
const ALL_CPUS = `0-${availableParallelism() - 1}`;
/** Pages of the report, in the order in which they are opened: name and query. */
const PAGES = [
  ['filtered by a ref, before anybody has opened a report', '&ref=clinic-7'],
  ['first screen, 30 days', ''],
  ['the same again', ''],
  ['90 days', '&days=90'],
] as const;

type Times = Awaited<ReturnType<typeof sendSteadily>>;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '2000000' },
      seconds: { type: 'string', default: '10' },
      flood: { type: 'string', default: '1000000' },
    },
  });
  const seconds = Number(values.seconds);
  const dataDir = makeFolder();
  const file = join(dataDir, 'site.db');
  const fillS = await timed(() => fillDatabase(file, Number(values.rows)));
  const { url, pid } = await startBenchServer({ dataDir, env: { ADMIN_PASSWORD: PASSWORD } });
  const pages = await timePages(url, pid);
  const reportTimes: number[] = [];
  for (let i = 0; i < REPORTS; i += 1) reportTimes.push(await timed(() => makeReport(dataDir)));
  const single = await runWrk(url, 1, seconds);
  await sendSteadily(url, { rate: RATE, seconds: WARM_UP_S });
  const quiet = await sendSteadily(url, { rate: RATE, seconds });
  const besideLoops = await sendBesideLoops(url, seconds);
  const besideReports = await sendBeside(url, seconds, () => makeReport(dataDir));
  const lookTimes: number[] = [];
  const besideLooks = await sendBeside(url, seconds, async () => {
    lookTimes.push(await timed(() => lookForNews(file)));
  });
  flood(file, Number(values.flood));
  allowCpus(pid, ALL_CPUS);
  const floodedS = await timed(() => openPage(url, '?days=7'));
  const size = Math.round(statSync(file).size / 1024 ** 2);
  process.stdout.write(
    `${values.rows} clicks and as many visits: ${size} MB, made in ${fillS.toFixed(0)} s\n` +
      `site report --days ${DAYS}: ${reportTimes.map((s) => s.toFixed(2)).join(', ')} s\n` +
      `/report of 7 days after ${values.flood} visits of one hour, each with its own ref: ${floodedS.toFixed(2)} s\n` +
      `One connection: p50 ${(single.p50 / 1000).toFixed(2)} ms a click\n\n`,
  );
  printTable(['/report', 's', "s, on the server's CPU alone"], pages);
  const runs = {
    quiet,
    'while an empty loop runs on each CPU, at the lowest priority': besideLoops,
    'while reports are made': besideReports,
    "while the alerts' engine looks at the last 60 days": besideLooks,
  };
  printClickTimes(runs);
  const failed = Object.values(runs).reduce((sum, times) => sum + times.failed, 0);
  const lookS = lookTimes.map((s) => s.toFixed(2)).join(', ');
  process.stdout.write(`Looks of the engine: ${lookS} s\nFailed: ${failed}\n`);
}

/**
 * Opens each page of PAGES twice: while the server has all CPUs, and while it has one.
 *
 * @returns rows of a table: a page's name, and both times in seconds
 */
async function timePages(url: string, pid: number): Promise<string[][]> {
  const pages: string[][] = PAGES.map(([name]) => [name]);
  allowCpus(pid, ALL_CPUS);
  // The second round uses another time zone, because the server caches the figures of each zone.
  for (const zone of ['UTC', 'America/New_York']) {
    for (const [i, [, query]] of PAGES.entries()) {
      const s = await timed(() => openPage(url, `?tz=${zone}${query}`));
      pages[i]?.push(s.toFixed(2));
    }
    allowCpus(pid, SERVER_CPU);
  }
  return pages;
}

/** Sends clicks while an empty loop runs on each CPU. */
async function sendBesideLoops(url: string, seconds: number): Promise<Times> {
  const loops = startLoops();
  const times = await sendSteadily(url, { rate: RATE, seconds });
  for (const loop of loops) loop.kill();
  return times;
}

/** Sends clicks while some other work is done again and again. */
async function sendBeside(url: string, seconds: number, work: () => Promise<void>): Promise<Times> {
  let isOver = false;
  const working = (async () => {
    while (!isOver) await work();
  })();
  // By then, the first work has begun to read.
  await wait(500);
  const times = await sendSteadily(url, { rate: RATE, seconds });
  isOver = true;
  await working;
  return times;
}

/** Prints a table of the percentiles of clicks. @param runs by their names */
function printClickTimes(runs: Record<string, Times>): void {
  printTable(
    [`clicks at ${RATE} a second`, 'p50, ms', 'p99, ms'],
    Object.entries(runs).map(([name, { clicks }]) => [
      name,
      ...[0.5, 0.99].map((fraction) => percentile(clicks, fraction).toFixed(1)),
    ]),
  );
}

/**
 * Starts an empty loop on each CPU, at the lowest priority. The loops use neither memory nor files,
 * so that they show what busy CPUs alone cost a click: on some machines, the disk answers later.
 */
function startLoops() {
  const [program = '', ...args] = [
    ...DIES_WITH_PARENT,
    'chrt',
    '--idle',
    '0',
    process.execPath,
    '-e',
    'for (;;);',
  ];
  return Array.from({ length: availableParallelism() }, () => spawn(program, args));
}

async function openPage(url: string, query: string): Promise<void> {
  const authorization = `Basic ${btoa(`:${PASSWORD}`)}`;
  const answer = await fetch(`${url}/report${query}`, { headers: { authorization } });
  await answer.text();
  if (!answer.ok) throw new Error(`/report${query} answered ${answer.status}`);
}

/** Runs a function. @returns its duration in seconds */
async function timed(act: () => Promise<void>): Promise<number> {
  const begin = performance.now();
  await act();
  return (performance.now() - begin) / 1000;
}

/** Runs `site report` on the data folder, in a process of its own. */
async function makeReport(dataDir: string): Promise<void> {
  const args = ['server/commands/site.ts', 'report', '--days', String(DAYS)];
  const env = { ...process.env, DATA_DIR: dataDir };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`site report ended with ${code}`);
}

/**
 * Looks for news in the last 60 days, in a process of its own, as the server does on its first
 * morning.
 */
async function lookForNews(file: string): Promise<void> {
  const program = 'server/report/causes/news-process.ts';
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'ignore', 'inherit'] });
  const now = Date.now();
  const day = new Date(now - DAY_MS).toISOString().slice(0, 10);
  const order = { urls: [], file, timeZone: 'America/New_York', day, memory: null, now };
  child.stdin.end(JSON.stringify(order));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The engine's look ended with ${code}`);
}
