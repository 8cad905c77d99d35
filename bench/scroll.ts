/**
 * Measures the CPU time of motion while a visitor scrolls through the landing page with an eighth
 * of the CPU. Compares the page with itself under reduced motion, or with another version at the
 * URL `--against`. Both take turns, and the order alternates, so that other work of the machine
 * affects both. The machine's speed changes within minutes, so the ratio is the median of the
 * ratios of the turns.
 *
 * The first turn of the wheel is the page's first input, as on a phone. An input before the
 * measurement would hide what a version loads at its first input, but not what another loads when
 * it is scrolled to.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'puppeteer-core';
import { build } from '../tests/helpers/run/build.ts';
import { startSite } from '../tests/helpers/server/site-process.ts';
import { percentile, printTable } from './load.ts';
import { launch } from './page-visit.ts';

const DIST = 'node_modules/.cache/bench-scroll';
const PHONE = { width: 390, height: 844 };
/** The CPU is so many times slower than this machine's. */
const SLOWDOWN = 8;
const WHEEL_PX = 120;
const WHEEL_MS = 40;
/** Time after which an untouched page has loaded everything, and does nothing more. */
const SETTLED_MS = 2500;

interface Scroll {
  /** CPU time of all tasks of the main thread, in milliseconds. */
  busy: number;
  /** CPU time of the longest task, in milliseconds. */
  longest: number;
}

export async function run(args: string[]): Promise<void> {
  const options = { runs: { type: 'string', default: '5' }, against: { type: 'string' } } as const;
  const { runs, against } = parseArgs({ args, options }).values;
  await build(DIST);
  const site = await startSite({ DIST_DIR: DIST });
  const url = `http://localhost:${site.port}/`;
  const browser = await launch();
  const turns: { other: Scroll; ours: Scroll }[] = [];
  const scrollOther = () => scroll(browser, against ?? url, { isStill: !against });
  const scrollOurs = () => scroll(browser, url, { isStill: false });
  for (let n = 0; n < Number(runs); n += 1) {
    if (n % 2 === 0) turns.push({ other: await scrollOther(), ours: await scrollOurs() });
    else turns.push({ ours: await scrollOurs(), other: await scrollOther() });
  }
  await browser.close();
  await site.remove();
  const median = (of: (turn: { other: Scroll; ours: Scroll }) => number) =>
    percentile(turns.map(of), 0.5);
  const rows = (['busy', 'longest'] as const).map((name) => [
    name,
    Math.round(median(({ other }) => other[name])),
    Math.round(median(({ ours }) => ours[name])),
    median(({ other, ours }) => ours[name] / other[name]).toFixed(2),
  ]);
  printTable(['median, ms', against ?? 'reduced motion', 'ours', 'median ratio'], rows);
}

/**
 * Opens the page, scrolls to its end, and measures the main thread. @param isStill reduces motion
 */
async function scroll(browser: Browser, url: string, { isStill }: { isStill: boolean }) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport(PHONE);
  const value = isStill ? 'reduce' : 'no-preference';
  await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value }]);
  await page.emulateCPUThrottling(SLOWDOWN);
  await page.goto(url, { waitUntil: 'networkidle0' });
  await wait(SETTLED_MS);
  await page.tracing.start({ categories: ['toplevel', 'disabled-by-default-devtools.timeline'] });
  await turnWheel(page);
  const trace = await page.tracing.stop();
  await context.close();
  return readTrace(new TextDecoder().decode(trace));
}

async function turnWheel(page: Page): Promise<void> {
  const range = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  for (let top = 0; top < range; top += WHEEL_PX) {
    await page.mouse.wheel({ deltaY: WHEEL_PX });
    await wait(WHEEL_MS);
  }
  await wait(1000);
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds of CPU time. */
  tdur?: number;
  args: { name?: string };
}

/**
 * Reads the CPU times of the page's main thread out of a trace. The trace also has the main threads
 * of the browser's own pages; the busiest one is the page's.
 */
function readTrace(json: string): Scroll {
  const events: TraceEvent[] = JSON.parse(json).traceEvents;
  const isMain = ({ name, args }: TraceEvent) =>
    name === 'thread_name' && args.name === 'CrRendererMain';
  const threads = events.filter(isMain).map(({ pid, tid }) => {
    const tasks = events.filter(
      (event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid,
    );
    const times = tasks.map(({ tdur = 0 }) => tdur / 1000);
    return { busy: times.reduce((sum, time) => sum + time, 0), longest: Math.max(0, ...times) };
  });
  const [busiest] = threads.sort((a, b) => b.busy - a.busy);
  if (!busiest) throw new Error('The trace has no page');
  return busiest;
}
